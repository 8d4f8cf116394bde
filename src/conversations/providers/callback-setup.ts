import type { SignedCall } from '#core/endpoint/signed-endpoint.ts';
import { notFound } from '#core/fault.ts';
import type { Channel } from '../../contacts/channels.ts';
import { readChannel, type ChannelSetup } from '../channels/read-channel.ts';

/** How the channel is set up. Throws NOT_FOUND alike where it is not, and where the sub-account is gone. */
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
