import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { invalid, notFound } from '#core/fault.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { WebhookContent } from '../inbound/callback.schema.ts';
import { verifyBridge, verifyMail } from './bridge/verify.ts';
import { verifyMeta } from './meta/verify.ts';
import { verifyTwilio } from './twilio/verify.ts';
import { setupOf, type VerifyWebhook, type WebhookKind } from './webhook.ts';

/** Verifies a call with the provider of its channel. `email` has a secret of its own for calls. */
export const verifyWebhook =
  (kind: WebhookKind) =>
  async (call: SignedCall<{ readonly channel: Channel }>): Promise<Verified<WebhookContent>> => {
    const setup = await setupOf(call);
    const { channel } = call.params;
    const verify = channel === 'email' ? verifyMail : VERIFIERS[setup.provider];
    if (!verify) {
      throw notFound('channel');
    }
    const by = `${setup.provider}/${channel}`;
    return { by, ...inParts(await verify({ ...call, kind }, setup)) };
  };

/** How many receipts, or marks, one transaction takes: each takes locks until it ends. */
const PART_MAX = 100;
/**
 * How many messages, receipts and marks one call may contain. Meta sends up to 1,000 events, of which
 * each delivery names several messages.
 */
const CALL_MAX = 5_000;

/**
 * Each message gets a transaction of its own: two messages of one call may come from the same new
 * sender, and the second must find the contact that the first created. Receipts and marks get one for
 * each hundred: PostgreSQL has room for thousands of locks only, which all sub-accounts share. Throws
 * VALIDATION_ERROR for more than `CALL_MAX`: no provider sends so many.
 */
function inParts(content: WebhookContent): Pick<Verified<WebhookContent>, 'payload' | 'more'> {
  const { inbound, receipts, marks = [] } = content;
  const count = inbound.length + receipts.length + marks.length;
  if (count > CALL_MAX) {
    const message = `must contain at most ${CALL_MAX} messages and receipts, not ${count}`;
    throw invalid([{ in: 'body', path: '', message }]);
  }
  const [first, ...more] = [
    ...inbound.map((message) => ({ inbound: [message], receipts: [] })),
    ...partsOf(receipts).map((part) => ({ inbound: [], receipts: part })),
    ...partsOf(marks).map((part) => ({ inbound: [], receipts: [], marks: part })),
  ];
  return { payload: { ...content, inbound: [], receipts: [], marks: [], ...first }, more };
}

const partsOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / PART_MAX) }, (_, index) =>
    all.slice(index * PART_MAX, (index + 1) * PART_MAX),
  );

const VERIFIERS: Readonly<Record<string, VerifyWebhook>> = {
  http: verifyBridge,
  twilio: verifyTwilio,
  meta: verifyMeta,
};
