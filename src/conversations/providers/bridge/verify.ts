import type { Static, TSchema } from 'typebox';
import { check } from '#core/schema/check.ts';
import { notFound } from '#core/fault.ts';
import { parseJson } from '#platform/http/body/read-body.ts';
import { inboundBody, receiptBody, type WebhookContent } from '../../inbound/callback.schema.ts';
import type { ChannelSetup } from '../../channels/read-channel.ts';
import { parseMail } from '../../mailbox/parse-mail.ts';
import type { Called, VerifyWebhook } from '../verify-callback.ts';
import { readSigned } from '../signed-body.ts';

/** Attachments included. */
const MAIL_MAX_BYTES = 25 * 1024 * 1024;

/** What the `http` bridge of a channel tells, as JSON. */
export const verifyBridge: VerifyWebhook = async (call, setup) => {
  const bytes = await signedBytes(call, setup);
  return toldIn(call, bytes);
};

/** `email` has a secret for this whatever carries its mails, and takes them as they are, too. */
export const verifyMail: VerifyWebhook = async (call, setup) => {
  const bytes = await signedBytes(
    call,
    setup,
    call.kind === 'inbound' ? MAIL_MAX_BYTES : undefined,
  );
  return call.kind === 'inbound' && isRawMail(call.header('content-type'))
    ? parseMail(bytes, setup)
    : toldIn(call, bytes);
};

/** Throws NOT_FOUND where nothing is agreed upon to sign with. */
async function signedBytes(
  call: Called,
  { secrets }: ChannelSetup,
  limitBytes?: number,
): Promise<Buffer> {
  const secret = secrets['secret'];
  if (!secret) {
    throw notFound('channel');
  }
  return readSigned(call, { header: 'X-Signature', secret, ...(limitBytes && { limitBytes }) });
}

const isRawMail = (contentType = ''): boolean => /^message\/rfc822\s*(?:;|$)/i.test(contentType);

function toldIn(call: Called, bytes: Buffer): WebhookContent {
  const checked = <S extends TSchema>(schema: S): Static<S> =>
    check(schema, parseJson(bytes, call.header('content-type')), 'body');
  return call.kind === 'inbound'
    ? { inbound: [checked(inboundBody)], receipts: [] }
    : { inbound: [], receipts: [checked(receiptBody)] };
}
