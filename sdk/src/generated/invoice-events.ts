// Written by `node sdk/generate.ts` from the declarations in src/.

export interface InvoiceEvents {
  /** Fires when: an invoice was paid. */
  'invoice.paid': {
    /** id in the invoicing system */
    invoiceId: string;
    /** in the currency's main unit, for example euros */
    amount: number;
    /** ISO 4217, in lower case */
    currency: string;
    paidAt: string;
  };
}
