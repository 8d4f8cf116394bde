import { createHash, timingSafeEqual } from 'node:crypto';
import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { Fault, notFound } from '#core/fault.ts';
import type { Channel } from '../../../contacts/channels.ts';
import { readSigned, setupOf, type VerifyWebhook } from '../webhook.ts';
import { parseMetaWebhook } from './parse.ts';

/** Meta sends messages and receipts in one call, to either of the two URLs. */
export const verifyMeta: VerifyWebhook = async (call, setup) => {
  const { appSecret: secret } = setup.secrets;
  if (secret === undefined) {
    throw notFound('channel');
  }
  const bytes = await readSigned(call, {
    header: 'X-Hub-Signature-256',
    secret,
    secretName: `the appSecret of the channel ${call.params.channel}`,
  });
  return parseMetaWebhook(bytes, call.params.channel, setup);
};

/**
 * Verifies the challenge with which Meta checks who owns the URL. Throws FORBIDDEN unless it contains the
 * channel's verify token.
 */
export async function verifyChallenge(
  call: SignedCall<{ readonly channel: Channel }>,
): Promise<Verified<string>> {
  const { provider, secrets } = await setupOf(call);
  if (provider !== 'meta') {
    throw notFound('channel');
  }
  const query = new URL(call.url).searchParams;
  const { verifyToken = '' } = secrets;
  const isMeta =
    query.get('hub.mode') === 'subscribe' &&
    verifyToken !== '' &&
    isEqual(query.get('hub.verify_token') ?? '', verifyToken);
  if (!isMeta) {
    throw new Fault('FORBIDDEN', 'hub.verify_token is not the verifyToken of the channel');
  }
  return { by: `meta/${call.params.channel}`, payload: query.get('hub.challenge') ?? '' };
}

/** Compares digests in constant time, so that the time reveals nothing about the token. */
const isEqual = (given: string, token: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(token));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
