import {
  type SignedCall,
  type Verified,
  defineSignedEndpoint,
} from '#core/endpoint/signed-endpoint.ts';
import { check } from '#core/schema/check.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { parseJson } from '#platform/http/body/read.ts';
import { readSigned } from '../conversations/providers/webhook.ts';
import { invoiceBody, recordedSchema, type Invoice } from './invoice.schema.ts';
import { invoicesSecret } from './invoices-secret.ts';
import { recordInvoice } from './record-invoice.ts';

/** The webhook that the sub-account's invoicing system calls. */
export const invoiceEndpoints = [
  defineSignedEndpoint({
    id: 'invoices.paid',
    method: 'POST',
    path: '/webhooks/provider/:subAccountId/invoice/paid',
    summary: 'Report a paid invoice',
    description:
      "Sign with `X-Signature: sha256=<hex>`: the HMAC-SHA256 of the raw body, with the secret of the manifest's section `invoices`. A missing or wrong signature returns 401, and nothing is stored. An invoice is recorded once, however often it is reported. Recording it fires `invoice.paid` with the contact that has the email.",
    signature: [
      {
        name: 'X-Signature',
        description: 'sha256= and the HMAC-SHA256 of the raw body under the secret, in hex',
        isRequired: true,
      },
    ],
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
  const bytes = await readSigned(call, {
    header: 'X-Signature',
    secret,
    secretName: "the secret of the manifest's section invoices",
  });
  const payload = check(invoiceBody, parseJson(bytes, call.header('content-type')), 'body');
  return { by: 'http/invoices', payload };
}
