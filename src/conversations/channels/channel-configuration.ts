import type { CachedRead, View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { senderAddress } from '../messages/sender-address.ts';

/**
 * Who carries the messages of a channel: `sandbox` keeps them, `live_chat` is where the visitor reads
 * them himself, and any other word is a provider that was set up.
 */
export type Carrier = string;

/** Nothing where a live sub-account has set up none; in a sandbox every channel has its carrier. */
export async function carrierOf(view: View, channel: Channel): Promise<Carrier | undefined> {
  const rows = await view.cached(CONFIGURED);
  if (rows.some(({ sandbox }) => sandbox)) {
    return 'sandbox';
  }
  const configured = rows.find((row) => row.channel === channel)?.provider;
  return configured ?? (channel === 'live_chat' ? 'live_chat' : undefined);
}

/** The address that messages of the channel come from, from memory; null where it is not known yet. */
export async function channelSender(view: View, channel: Channel): Promise<string | null> {
  const rows = await view.cached(CONFIGURED);
  const configured = rows.find((row) => row.channel === channel);
  return configured ? senderAddress(channel, configured.provider, configured) : null;
}

/** Somebody outside, neither a sandbox nor the house. */
export const isProvider = (carrier: Carrier | undefined): boolean =>
  carrier !== undefined && !HOUSE_CARRIERS.has(carrier);

export const hasProvider = async (view: View, channel: Channel): Promise<boolean> =>
  isProvider(await carrierOf(view, channel));

/** Those that are no provider. */
const HOUSE_CARRIERS: ReadonlySet<Carrier> = new Set(['sandbox', 'live_chat']);

interface Configured {
  readonly sandbox: boolean;
  readonly channel: Channel | null;
  readonly provider: string | null;
  readonly from: string | null;
  readonly pageId: string | null;
  readonly instagramId: string | null;
}

const CONFIGURED: CachedRead<Configured> = {
  tables: ['sub_accounts', 'channels'],
  text: `select a.sandbox, c.channel, c.provider, c.settings ->> 'from' as "from",
      c.settings ->> 'pageId' as "pageId", c.settings ->> 'instagramId' as "instagramId"
    from sub_accounts a left join channels c on c.sub_account_id = a.id
    where a.id = $1`,
};
