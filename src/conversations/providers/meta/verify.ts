import { createHash, timingSafeEqual } from 'node:crypto';
import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { Fault, notFound } from '#core/fault.ts';
import type { Channel } from '../../../contacts/channels.ts';
import { readSigned } from '../signed-body.ts';
import { setupOf, type VerifyWebhook } from '../webhook.ts';
import { parseMetaWebhook } from './parse.ts';

/** Meta sends messages and receipts in one call, to whichever of the two URLs it knows. */
export const verifyMeta: VerifyWebhook = async (call, setup) => {
  const { appSecret: secret } = setup.secrets;
  if (secret === undefined) {
    throw notFound('channel');
  }
  const bytes = await readSigned(call, { header: 'X-Hub-Signature-256', secret });
  return parseMetaWebhook(bytes, call.params.channel, setup);
};

/**
 * Verifies the challenge by which Meta checks who owns the URL. Throws FORBIDDEN unless it carries the
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

/** The time it takes reveals nothing about the token: digests have the same length. */
const isEqual = (given: string, token: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(token));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
