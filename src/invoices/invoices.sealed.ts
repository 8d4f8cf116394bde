import type { Sealed } from '#core/sealed.ts';

/** Without the secret the hook of the invoicing program is one that nobody agreed upon. */
export const sealedInvoices: Sealed = {
  columns: ['invoice_settings.secret'],
  async leaveOut({ rows }) {
    const gone = await rows('delete from incoming_invoice_settings returning id');
    return gone.map(() => 'the secret of the invoices hook');
  },
};
