import type { Sealed } from '#core/secrets.ts';

/** Without its secret, the webhook of the invoicing program is removed. */
export const sealedInvoices: Sealed = {
  columns: ['invoice_settings.secret'],
  async leaveOut({ rows }) {
    const gone = await rows('delete from incoming_invoice_settings returning id');
    return gone.map(() => 'the secret of the invoices hook');
  },
};
