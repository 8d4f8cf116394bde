import type { SignedCall } from '#core/endpoint/signed-endpoint.ts';
import { notFound } from '#core/fault.ts';
import type { Channel } from '../../contacts/channels.ts';
import { readChannel, type ChannelSetup } from '../channels/channel.store.ts';
import type { WebhookContent } from '../inbound/callback.schema.ts';

export type WebhookKind = 'inbound' | 'status';

export interface WebhookCall extends SignedCall<{ readonly channel: Channel }> {
  readonly kind: WebhookKind;
}

/**
 * Checks the signature of a call and returns its content. Throws UNAUTHORIZED unless the provider of
 * the channel signed it, and NOT_FOUND if the channel has no key to check signatures with.
 */
export type VerifyWebhook = (call: WebhookCall, setup: ChannelSetup) => Promise<WebhookContent>;

/**
 * Returns the setup of the called channel. Throws the same NOT_FOUND for a channel without a provider
 * and for a deleted sub-account.
 */
export async function setupOf({
  view,
  tools,
  params,
}: SignedCall<{ readonly channel: Channel }>): Promise<ChannelSetup> {
  const [account] = await view.rows(LIVE_SUB_ACCOUNT, [view.subAccountId]);
  const setup = account && (await readChannel(view, tools.secrets, params.channel));
  if (!setup) {
    throw notFound('channel');
  }
  return setup;
}

const LIVE_SUB_ACCOUNT = 'select id from sub_accounts where id = $1 and deleted_at is null';
