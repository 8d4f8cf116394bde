import { newId } from '#lib/id.ts';
import { invoicesPlace } from '../../src/invoices/invoices-secret.ts';
import { signatureOf } from '../conversations/inbound/callbacks.support.ts';
import type { Answer, CallOptions, TestService } from '../support/service.ts';

const SECRET = 'invoicing-secret-ü';

/** Sets the secret of the invoicing system, like the manifest. */
export async function setUpInvoices(
  { database, secrets, subAccountId }: TestService,
  secret = SECRET,
): Promise<void> {
  const id = newId(new Date());
  await database.rows(
    `insert into invoice_settings (sub_account_id, id, secret, created_at, updated_at)
     values ($1, $2, $3, now(), now()) on conflict (sub_account_id) do nothing`,
    [subAccountId, id, secrets.seal(secret, invoicesPlace(id))],
  );
}

export const INVOICE = { invoiceId: 'INV-2026-0042', amount: 89.5, currency: 'EUR' };

/** Sends the signed call of the invoicing system. */
export function paid(invoice: object = {}, secret = SECRET): CallOptions {
  const raw = JSON.stringify({ ...INVOICE, ...invoice });
  return { key: null, raw, headers: { 'x-signature': signatureOf(raw, secret) } };
}

export const reportPaid = (
  { call, subAccountId }: TestService,
  invoice?: object,
  secret?: string,
): Promise<Answer> =>
  call(`POST /webhooks/provider/${subAccountId}/invoice/paid`, paid(invoice, secret));

export const invoicesOf = ({ database, subAccountId }: TestService): Promise<any[]> =>
  database.rows(
    `select invoice_id as "invoiceId", amount, currency, email, contact_id as "contactId",
       paid_at as "paidAt"
     from paid_invoices where sub_account_id = $1 order by id`,
    [subAccountId],
  );
