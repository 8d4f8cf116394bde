import { createHash, timingSafeEqual } from 'node:crypto';
import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { Fault, notFound } from '#core/fault.ts';
import type { Channel } from '../../../contacts/channels.ts';
import { setupOf } from '../callback-setup.ts';

/**
 * Meta asks whether the address is ours, and wants its challenge back. Throws FORBIDDEN where it does
 * not bring the token that the channel was set up with.
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
    isSame(query.get('hub.verify_token') ?? '', verifyToken);
  if (!isMeta) {
    throw new Fault('FORBIDDEN', 'hub.verify_token is not the verifyToken of the channel');
  }
  return { by: `meta/${call.params.channel}`, payload: query.get('hub.challenge') ?? '' };
}

/** In a time that tells nothing of the token, its length included. */
const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(wanted));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
