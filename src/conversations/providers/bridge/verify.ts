import { notFound } from '#core/fault.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import { parseMail } from '../../mailbox/parse-safely.ts';
import { readSigned, type VerifyWebhook, type WebhookCall } from '../webhook.ts';
import { parseBridgeWebhook } from './parse.ts';

/** Attachments included. */
const MAIL_MAX_BYTES = 25 * 1024 * 1024;

export const verifyBridge: VerifyWebhook = async (call, setup) =>
  parseBridgeWebhook(call, await signedBytes(call, setup));

/** `email` has a secret for calls with any provider, and also accepts raw mails. */
export const verifyMail: VerifyWebhook = async (call, setup) => {
  const isInbound = call.kind === 'inbound';
  const bytes = await signedBytes(call, setup, isInbound ? MAIL_MAX_BYTES : undefined);
  return isInbound && isRawMail(call.header('content-type'))
    ? parseMail(bytes, setup)
    : parseBridgeWebhook(call, bytes);
};

/** Throws NOT_FOUND for a channel without a secret. */
async function signedBytes(
  call: WebhookCall,
  { secrets }: ChannelSetup,
  limitBytes?: number,
): Promise<Buffer> {
  const secret = secrets['secret'];
  if (!secret) {
    throw notFound('channel');
  }
  return readSigned(call, {
    header: 'X-Signature',
    secret,
    secretName: `the secret of the channel ${call.params.channel}`,
    ...(limitBytes && { limitBytes }),
  });
}

const isRawMail = (contentType = ''): boolean => /^message\/rfc822\s*(?:;|$)/i.test(contentType);
