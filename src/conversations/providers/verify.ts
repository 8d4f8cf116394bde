import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { notFound } from '#core/fault.ts';
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

/**
 * Each message gets a transaction of its own: two messages of one call may come from the same new
 * sender, and the second must find the contact that the first created.
 */
function inParts(content: WebhookContent): Pick<Verified<WebhookContent>, 'payload' | 'more'> {
  const [first, ...others] = content.inbound;
  return {
    payload: { ...content, inbound: first ? [first] : [] },
    more: others.map((message) => ({ inbound: [message], receipts: [] })),
  };
}

const VERIFIERS: Readonly<Record<string, VerifyWebhook>> = {
  http: verifyBridge,
  twilio: verifyTwilio,
  meta: verifyMeta,
};
