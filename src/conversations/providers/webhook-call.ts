import type { Channel } from '../../contacts/channels.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import type { SignedCall } from '#core/endpoint/signed-endpoint.ts';
import type { WebhookContent } from '../inbound/callback.schema.ts';

export type CallbackKind = 'inbound' | 'status';

export interface Called extends SignedCall<{ readonly channel: Channel }> {
  readonly kind: CallbackKind;
}

/** Throws UNAUTHORIZED where it was not the provider of the channel who called, NOT_FOUND where nobody may. */
export type VerifyWebhook = (call: Called, setup: ChannelSetup) => Promise<WebhookContent>;
