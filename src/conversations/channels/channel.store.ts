import type { CachedRead, View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { Secrets } from '#core/secrets.ts';
import { senderOf } from '#platform/mail/mailer.ts';
import { isMail } from '../threads/conversation.schema.ts';

/**
 * The carrier of a channel's messages: `sandbox` captures them, `live_chat` shows them in the widget, and
 * any other value is a provider.
 */
export type Carrier = string;

/** Returns the carrier of a channel; undefined without a provider, unless the sub-account is a sandbox. */
export async function carrierOf(view: View, channel: Channel): Promise<Carrier | undefined> {
  const rows = await view.cached(CONFIGURED);
  if (rows.some(({ sandbox }) => sandbox)) {
    return 'sandbox';
  }
  const configured = rows.find((row) => row.channel === channel)?.provider;
  return configured ?? (channel === 'live_chat' ? 'live_chat' : undefined);
}

/** Returns the sender's address of a channel, from the cache; null if it is not known yet. */
export async function channelSender(view: View, channel: Channel): Promise<string | null> {
  const rows = await view.cached(CONFIGURED);
  const configured = rows.find((row) => row.channel === channel);
  return configured ? senderAddress(channel, configured.provider, configured) : null;
}

export const isProvider = (carrier: Carrier | undefined): boolean =>
  carrier !== undefined && !BUILT_IN_CARRIERS.has(carrier);

export const hasProvider = async (view: View, channel: Channel): Promise<boolean> =>
  isProvider(await carrierOf(view, channel));

const BUILT_IN_CARRIERS: ReadonlySet<Carrier> = new Set(['sandbox', 'live_chat']);

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

/** A configured channel: the members of the manifest, secrets apart. */
export interface ChannelSetup {
  readonly subAccountId: string;
  readonly id: string;
  readonly provider: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly updatedAt: Date;
}

/** The sealed secrets of a channel are bound to this place: moved elsewhere, they cannot be opened. */
export const channelPlace = (id: string): string => `channels/${id}/secrets`;

/** Returns the setup of a channel with its secrets; undefined without a provider. */
export async function readChannel(
  view: View,
  secrets: Secrets,
  channel: Channel,
): Promise<ChannelSetup | undefined> {
  const [row] = await view.rows<Row>(CHANNEL, [view.subAccountId, channel]);
  return (
    row &&
    withImapUser({ ...row, secrets: row.secrets ? opened(secrets, row.id, row.secrets) : {} })
  );
}

interface Row extends Omit<ChannelSetup, 'secrets'> {
  readonly secrets: Buffer | null;
}

const CHANNEL = `select sub_account_id as "subAccountId", id, provider, settings, secrets,
    updated_at as "updatedAt"
  from channels
  where sub_account_id = $1 and channel = $2`;

const opened = (secrets: Secrets, id: string, sealed: Buffer): Record<string, string> =>
  JSON.parse(secrets.open(sealed, channelPlace(id))) as Record<string, string>;

/** User and password of smtp are also those of imap, unless it has its own. */
function withImapUser(setup: ChannelSetup): ChannelSetup {
  const { settings, secrets } = setup;
  const imap = settings['imap'] as { readonly user: string | null } | null | undefined;
  if (!imap) {
    return setup;
  }
  const imapPassword = secrets['imapPassword'] ?? secrets['password'];
  return {
    ...setup,
    settings: { ...settings, imap: { ...imap, user: imap.user ?? settings['user'] } },
    secrets: { ...secrets, ...(imapPassword !== undefined && { imapPassword }) },
  };
}

/** The settings of a channel that name its sender. */
export interface SenderSettings {
  readonly from?: unknown;
  readonly pageId?: unknown;
  readonly instagramId?: unknown;
}

/** Twilio's id of a group of numbers: Twilio chooses the number that sends. */
const MESSAGING_SERVICE = /^MG/;

/**
 * Returns the address, number or account that messages of a channel come from; for mails, the address
 * without the name. Null if the settings do not determine it.
 */
export function senderAddress(
  channel: Channel,
  provider: string | null,
  { from, pageId, instagramId }: SenderSettings,
): string | null {
  if (provider === 'meta') {
    return textOr(channel === 'instagram' ? (instagramId ?? pageId) : pageId);
  }
  const sender = textOr(from);
  if (sender === null || (provider === 'twilio' && MESSAGING_SERVICE.test(sender))) {
    return null;
  }
  return isMail(channel) ? senderOf(sender).address || null : sender;
}

const textOr = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
