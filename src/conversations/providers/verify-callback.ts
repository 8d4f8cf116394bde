import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { notFound } from '#core/fault.ts';
import type { WebhookContent } from '../inbound/callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { ChannelSetup } from '../channels/read-channel.ts';
import { setupOf } from './callback-setup.ts';
import { verifyBridge, verifyMail } from './bridge/verify.ts';
import { verifyMeta } from './meta/verify.ts';
import { verifyTwilio } from './twilio/verify.ts';

type CallbackKind = 'inbound' | 'status';

export interface Called extends SignedCall<{ readonly channel: Channel }> {
  readonly kind: CallbackKind;
}

/** Throws UNAUTHORIZED where it was not the provider of the channel who called, NOT_FOUND where nobody may. */
export type VerifyWebhook = (call: Called, setup: ChannelSetup) => Promise<WebhookContent>;

/** What the provider of a channel tells, whoever it is. */
export const verifiesCallback =
  (kind: CallbackKind) =>
  async (call: SignedCall<{ readonly channel: Channel }>): Promise<Verified<WebhookContent>> => {
    const setup = await setupOf(call);
    const { channel } = call.params;
    const verify = channel === 'email' ? verifyMail : PROVERS[setup.provider];
    if (!verify) {
      throw notFound('channel');
    }
    const by = `${setup.provider}/${channel}`;
    return { by, ...inPieces(await verify({ ...call, kind }, setup)) };
  };

/** Messages of one call may be of the same new sender: the next one is to find whom the first made. */
function inPieces(content: WebhookContent): Pick<Verified<WebhookContent>, 'payload' | 'more'> {
  const [first, ...others] = content.inbound;
  return {
    payload: { ...content, inbound: first ? [first] : [] },
    more: others.map((message) => ({ inbound: [message], receipts: [] })),
  };
}

const PROVERS: Readonly<Record<string, VerifyWebhook>> = {
  http: verifyBridge,
  twilio: verifyTwilio,
  meta: verifyMeta,
};
