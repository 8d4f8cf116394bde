import { defineEntity, p } from '@mikro-orm/core';

const InvoiceSettingsTable = defineEntity({
  name: 'InvoiceSettings',
  tableName: 'invoice_settings',
  uniques: [{ properties: ['subAccountId'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Sealed. Signs the calls of the invoicing system. */
    secret: p.blob(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class InvoiceSettings extends InvoiceSettingsTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
InvoiceSettingsTable.setClass(InvoiceSettings);
