import {
  type SignedCall,
  type Verified,
  defineSignedEndpoint,
} from '#core/endpoint/signed-endpoint.ts';
import { check } from '#core/schema/check.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { parseJson } from '#platform/http/body/read.ts';
import { readSigned } from '../conversations/providers/signed-body.ts';
import { invoiceBody, recordedSchema, type Invoice } from './invoice.schema.ts';
import { invoicesSecret } from './invoices-secret.ts';
import { recordInvoice } from './record-invoice.ts';

/** The webhook of the sub-account's invoicing program. */
export const invoiceEndpoints = [
  defineSignedEndpoint({
    id: 'invoices.paid',
    method: 'POST',
    path: '/webhooks/provider/:subAccountId/invoice/paid',
    summary: 'Tell that an invoice was paid',
    description:
      "Signed in `X-Signature: sha256=<hex>`, the HMAC-SHA256 of the raw body under the secret of the manifest's section `invoices`; without it, or with another, the answer is 401 and nothing is kept. An invoice is recorded once, however often it is told of. Fires `invoice.paid` then, with the contact who has the email.",
    params: s.request({ subAccountId: s.uuid() }),
    body: invoiceBody,
    data: recordedSchema,
    verify,
    receive: async ({ work, payload }) => ({ data: await recordInvoice(work, payload) }),
  }),
];

async function verify(call: SignedCall<unknown>): Promise<Verified<Invoice>> {
  const secret = await invoicesSecret(call.view, call.tools.secrets);
  if (secret === undefined) {
    throw notFound('sub-account');
  }
  const bytes = await readSigned(call, { header: 'X-Signature', secret });
  const payload = check(invoiceBody, parseJson(bytes, call.header('content-type')), 'body');
  return { by: 'http/invoices', payload };
}
