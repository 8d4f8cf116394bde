import type { Proven, SignedCall } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import type { Told } from '../callback.shape.ts';
import type { Channel } from '../conversation.shape.ts';
import type { ChannelSetup } from '../read-channel.ts';
import { setupOf } from './callback-setup.ts';
import { proveBridge, proveMail } from './prove-bridge.ts';
import { proveMeta } from './prove-meta.ts';
import { proveTwilio } from './prove-twilio.ts';

type CallbackKind = 'inbound' | 'status';

export interface Called extends SignedCall<{ readonly channel: Channel }> {
  readonly kind: CallbackKind;
}

/** Throws UNAUTHORIZED where it was not the provider of the channel who called, NOT_FOUND where nobody may. */
export type Prove = (call: Called, setup: ChannelSetup) => Promise<Told>;

/** What the provider of a channel tells, whoever it is. */
export const provesCallback =
  (kind: CallbackKind) =>
  async (call: SignedCall<{ readonly channel: Channel }>): Promise<Proven<Told>> => {
    const setup = await setupOf(call);
    const { channel } = call.params;
    const prove = channel === 'email' ? proveMail : PROVERS[setup.provider];
    if (!prove) {
      throw notFound('channel');
    }
    const by = `${setup.provider}/${channel}`;
    return { by, ...inPieces(await prove({ ...call, kind }, setup)) };
  };

/** Messages of one call may be of the same new sender: the next one is to find whom the first made. */
function inPieces(told: Told): Pick<Proven<Told>, 'told' | 'more'> {
  const [first, ...others] = told.inbound;
  return {
    told: { ...told, inbound: first ? [first] : [] },
    more: others.map((message) => ({ inbound: [message], receipts: [] })),
  };
}

const PROVERS: Readonly<Record<string, Prove>> = {
  http: proveBridge,
  twilio: proveTwilio,
  meta: proveMeta,
};
