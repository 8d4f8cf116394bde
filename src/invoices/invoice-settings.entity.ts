import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';

const InvoiceSettingsTable = defineEntity({
  name: 'InvoiceSettings',
  tableName: 'invoice_settings',
  uniques: [{ properties: ['subAccountId'] }],
  properties: {
    ...recordKey(),
    /** Sealed. Signs the calls of the invoicing system. */
    secret: p.blob(),
    ...timestamps(),
  },
});

export class InvoiceSettings extends InvoiceSettingsTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
InvoiceSettingsTable.setClass(InvoiceSettings);
