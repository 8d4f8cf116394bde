// Written by `node sdk/generate.ts` from the declarations in src/.

export interface InvoiceEvents {
  /** Fires when: an invoice's payment was received. */
  'invoice.paid': {
    /** as the invoicing program calls it */
    invoiceId: string;
    /** in the currency's main unit */
    amount: number;
    /** ISO 4217 in lower case */
    currency: string;
    paidAt: string;
  };
}
