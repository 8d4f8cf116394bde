import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import { defineSection, type SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import {
  channelEntry,
  PROVIDERS,
  type ChannelEntry,
  type Provider,
  SECRETS,
  type SecretMember,
  allowsMember,
  channelIssues,
} from './channel-entry.ts';
import { channelPlace } from './channel.store.ts';
import { ConfiguredChannel } from './configured-channel.entity.ts';
import type { Channel } from '../../contacts/channels.ts';

interface Row {
  readonly channel: ConfiguredChannel;
  /** Empty without the secret key. */
  readonly decrypted: DecryptedSecrets;
}

const ALL_NULL = Object.fromEntries(
  Object.keys(channelEntry.properties).map((name) => [name, null]),
) as Record<keyof ChannelEntry, null>;

const SECRET_MEMBERS = Object.keys(SECRETS) as SecretMember[];

export const channelsSection = defineSection({
  name: 'channels',
  summary: 'The provider of each channel, by the name of the channel.',
  match: 'member',
  schema: channelEntry,
  secrets: SECRET_MEMBERS,
  environment: { path: /^\//, label: 'channels' },
  check: channelIssues,
  complete,
  load,
  keyOf: ({ channel: { channel } }: Row) => channel,
  valueOf: ({ channel: { provider, settings }, decrypted }): ChannelSecretsInput => ({
    ...ALL_NULL,
    ...joinSecrets(settings as Partial<ChannelSecretsInput>, decrypted),
    provider: provider as Provider,
  }),
  create({ em, subAccountId, now }, wanted, name, _idOf, tools): Row {
    refuseIncomplete(wanted, name);
    const id = newId(now);
    const { decrypted, ...fields } = fieldsOf({ id, channel: name, secrets: null }, wanted, tools);
    const channel = em.create(ConfiguredChannel, {
      ...fields,
      subAccountId,
      id,
      channel: name as Channel,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(channel);
    return { channel, decrypted };
  },
  update(work, { channel }, wanted, _idOf, tools) {
    if (tools.secrets) {
      refuseIncomplete(wanted, channel.channel);
    }
    const { decrypted: _, ...fields } = fieldsOf(channel, wanted, tools);
    Object.assign(channel, fields, { updatedAt: work.now });
  },
  remove: ({ em }, { channel }) => void em.remove(channel),
});

/** Omitted secrets stay as they are, unless a member that they belong to changes. */
function complete(
  given: ChannelEntry,
  stored: ChannelSecretsInput | undefined,
): ChannelSecretsInput {
  const { provider, imap, user = null, secure = false } = given;
  return {
    ...ALL_NULL,
    ...(provider === 'smtp' && { secure, port: secure ? 465 : 587 }),
    ...(provider === 'gmail' && { from: user }),
    ...storedSecrets(given, stored),
    ...given,
    imap: imap === undefined ? null : completeImap(imap, stored),
  };
}

function completeImap(
  given: NonNullable<ChannelEntry['imap']>,
  stored: ChannelSecretsInput | undefined,
) {
  const { secure = given.port !== 143 } = given;
  const usual = { secure, port: secure ? 993 : 143, user: null, mailbox: 'INBOX' };
  return { ...usual, password: storedImapPassword(given, stored), ...given };
}

function refuseIncomplete(wanted: ChannelSecretsInput, channel: string): void {
  const { requiredSecrets } = PROVIDERS[wanted.provider ?? 'http'];
  const missing = requiredSecrets.filter((name) => wanted[name] === null);
  if (missing.length > 0) {
    const names = missing.map((name) => (name === 'secret' ? 'a secret' : name));
    throw new Fault('VALIDATION_ERROR', `channels: ${channel} needs ${names.join(', ')}`);
  }
}

async function load({ em, subAccountId }: Work, { secrets }: SectionTools): Promise<Row[]> {
  const channels = await em.find(
    ConfiguredChannel,
    { subAccountId },
    { orderBy: { channel: 'asc' } },
  );
  return channels.map((channel) => {
    const { id, secrets: sealed } = channel;
    const decrypted =
      secrets && sealed
        ? (JSON.parse(secrets.open(Buffer.from(sealed), channelPlace(id))) as DecryptedSecrets)
        : {};
    return { channel, decrypted };
  });
}

/** Returns the columns of a wanted channel. Without the secret key, the stored secrets stay. */
function fieldsOf(
  {
    id,
    channel,
    secrets: stored = null,
  }: Pick<ConfiguredChannel, 'id' | 'secrets'> & { channel: string },
  wanted: ChannelSecretsInput,
  { secrets }: SectionTools,
) {
  const { settings, decrypted } = splitSecrets(wanted);
  const hasSecrets = Object.keys(decrypted).length > 0;
  if (hasSecrets && !secrets) {
    throw new Fault('VALIDATION_ERROR', `channels: ${channel} has secrets, but ${NO_KEY}`);
  }
  const sealed =
    secrets && hasSecrets ? secrets.seal(JSON.stringify(decrypted), channelPlace(id)) : null;
  return {
    provider: wanted.provider ?? 'http',
    settings,
    secrets: secrets ? sealed : stored,
    decrypted,
  };
}

const NO_KEY = 'FRONTDESK_SECRET_KEY, which encrypts them, is not set';

/** An entry with every member; omitted members are null. */
export type ChannelSecretsInput = {
  readonly [K in keyof ChannelEntry]-?: K extends 'imap'
    ? ImapInput | null
    : NonNullable<ChannelEntry[K]> | null;
};

type Imap = NonNullable<ChannelEntry['imap']>;
type ImapInput = Required<Omit<Imap, 'user' | 'password'>> & {
  readonly [K in 'user' | 'password']: string | null;
};

/** The secrets of a channel, which are sealed together. */
export type DecryptedSecrets = Readonly<Partial<Record<SecretMember | 'imapPassword', string>>>;

/** Returns the stored secrets that still belong to the account of the new entry. */
function storedSecrets(
  given: ChannelEntry,
  stored: ChannelSecretsInput | undefined,
): Partial<ChannelSecretsInput> {
  const names = SECRET_MEMBERS.filter(
    (name) =>
      allowsMember(given.provider, name) &&
      SECRETS[name].every((member) => (given[member] ?? null) === stored?.[member]),
  );
  return Object.fromEntries(names.map((name) => [name, stored?.[name] ?? null]));
}

/** Returns the stored password of the mailbox; null if its server or user changes. */
function storedImapPassword(given: Imap, stored: ChannelSecretsInput | undefined): string | null {
  const before = stored?.imap;
  const isSame = before?.host === given.host && before.user === (given.user ?? null);
  return isSame ? (before?.password ?? null) : null;
}

/** Splits an entry into plain settings and secrets to seal. */
function splitSecrets(entry: ChannelSecretsInput): {
  readonly settings: Partial<ChannelSecretsInput>;
  readonly decrypted: DecryptedSecrets;
} {
  const { imap } = entry;
  const isSecret = (name: string): boolean => Object.hasOwn(SECRETS, name);
  const members = Object.entries(entry).filter(([name]) => name !== 'provider');
  const settings = {
    ...Object.fromEntries(members.filter(([name]) => !isSecret(name))),
    imap: imap && { ...imap, password: null },
  };
  const secret = [
    ...members.filter(([name]) => isSecret(name)),
    ['imapPassword', imap?.password ?? null] as const,
  ];
  return { settings, decrypted: Object.fromEntries(secret.filter(([, value]) => value !== null)) };
}

/** The reverse of `splitSecrets`. */
function joinSecrets(
  settings: Partial<ChannelSecretsInput>,
  { imapPassword, ...decrypted }: DecryptedSecrets,
) {
  const { imap } = settings;
  return {
    ...settings,
    ...decrypted,
    ...(imap && { imap: { ...imap, password: imapPassword ?? null } }),
  };
}
