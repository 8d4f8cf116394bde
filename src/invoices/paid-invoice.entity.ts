import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const PaidInvoiceTable = defineEntity({
  name: 'PaidInvoice',
  tableName: 'paid_invoices',
  uniques: [{ properties: ['subAccountId', 'invoiceId'] }],
  properties: {
    ...recordKey(),
    /** Id in the invoicing system. */
    invoiceId: p.text(),
    amount: p.double(),
    currency: p.text(),
    email: p.text().nullable(),
    contactId: p.uuid().nullable(),
    paidAt: p.datetime(),
    createdAt: p.datetime(),
  },
});

/** An invoice that was reported as paid, once. */
export class PaidInvoice extends PaidInvoiceTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
PaidInvoiceTable.setClass(PaidInvoice);
