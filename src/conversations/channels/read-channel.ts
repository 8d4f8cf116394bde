import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';

/** A channel as it was set up: the manifest's members, with those that are secret apart. */
export interface ChannelSetup {
  readonly id: string;
  readonly provider: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly updatedAt: Date;
}

/** Where the sealed secrets of a channel lie; they open nowhere else. */
export const channelPlace = (id: string): string => `channels/${id}/secrets`;

/** Undefined where the sub-account has set up no provider for the channel. */
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

const CHANNEL = `select id, provider, settings, secrets, updated_at as "updatedAt" from channels
  where sub_account_id = $1 and channel = $2`;

const opened = (secrets: Secrets, id: string, sealed: Buffer): Record<string, string> =>
  JSON.parse(secrets.open(sealed, channelPlace(id))) as Record<string, string>;

/** Whoever sends by smtp fetches by imap too, unless somebody else is named. */
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
