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

/** The secrets and the names of the accounts they belong to. */
const CREDENTIALS = ['user', 'accountSid', 'clientId', ...SECRET_MEMBERS];
const SECRET_PATH = new RegExp(`/(?:${SECRET_MEMBERS.join('|')})$`);
const CREDENTIAL_PATH = new RegExp(`^/(?:imap/(?:user|password)|${CREDENTIALS.join('|')})$`);

export const channelsSection = defineSection({
  name: 'channels',
  summary: 'The provider of each channel, by the name of the channel.',
  match: 'member',
  schema: channelEntry,
  secrets: SECRET_PATH,
  environment: {
    path: CREDENTIAL_PATH,
    destination: /^\/(?:provider|apiBaseUrl|tokenUrl|(?:imap\/)?(?:host|port))$/,
    label: `${CREDENTIALS.join(', ')} of channels`,
  },
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
  update(work, { channel, decrypted: before }, wanted, _idOf, tools) {
    if (tools.secrets) {
      refuseIncomplete(wanted, channel.channel, before);
    } else {
      refuseMovedSecrets(channel, wanted);
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
  const wanted = {
    ...ALL_NULL,
    ...(provider === 'smtp' && { secure, port: secure ? 465 : 587 }),
    ...(provider === 'gmail' && { from: user }),
    ...given,
    imap: imap === undefined ? null : completeImap(imap, stored),
  };
  return { ...wanted, ...storedSecrets(wanted, stored), ...givenSecrets(given) };
}

const givenSecrets = (given: ChannelEntry) =>
  Object.fromEntries(
    SECRET_MEMBERS.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );

function completeImap(
  given: NonNullable<ChannelEntry['imap']>,
  stored: ChannelSecretsInput | undefined,
) {
  const { secure = given.port !== 143 } = given;
  const usual = { secure, port: secure ? 993 : 143, user: null, mailbox: 'INBOX' };
  const wanted = { ...usual, password: null, ...given };
  return { ...wanted, password: given.password ?? storedImapPassword(wanted, stored) };
}

/** A mail server with a user needs the password again if the stored one belongs to another server. */
function refuseIncomplete(
  wanted: ChannelSecretsInput,
  channel: string,
  before: DecryptedSecrets = {},
): void {
  const { requiredSecrets } = PROVIDERS[wanted.provider ?? 'http'];
  const hasLogin = wanted.provider === 'smtp' && wanted.user !== null;
  const needed: readonly SecretMember[] =
    hasLogin && before.password !== undefined ? ['password'] : requiredSecrets;
  const missing = needed.filter((name) => wanted[name] === null);
  if (missing.length > 0) {
    const names = missing.map((name) => (name === 'secret' ? 'a secret' : name));
    throw new Fault('VALIDATION_ERROR', `channels: ${channel} needs ${names.join(', ')}`);
  }
}

/** Without the secret key, the stored secrets stay: what decides where they are sent must not change. */
function refuseMovedSecrets(
  { provider, settings, secrets, channel }: ConfiguredChannel,
  wanted: ChannelSecretsInput,
): void {
  const stored = { ...ALL_NULL, ...(settings as Partial<ChannelSecretsInput>) };
  const members = Object.values(SECRETS).flat();
  const isSame =
    provider === wanted.provider &&
    members.every((member) => stored[member] === wanted[member]) &&
    !losesTls(stored, wanted) &&
    isSameServer(stored.imap, wanted.imap);
  if (secrets && !isSame) {
    throw new Fault('VALIDATION_ERROR', `channels: ${channel} has stored secrets, but ${NO_KEY}`);
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

/** Returns the stored secrets that still belong to the account and the server of the new entry. */
function storedSecrets(
  wanted: ChannelSecretsInput,
  stored: ChannelSecretsInput | undefined,
): Partial<ChannelSecretsInput> {
  if (!stored) {
    return {};
  }
  const names = SECRET_MEMBERS.filter(
    (name) =>
      allowsMember(wanted.provider ?? 'http', name) &&
      SECRETS[name].every((member) => wanted[member] === stored[member]) &&
      (name !== 'password' || (!losesTls(stored, wanted) && !isSentElsewhere(stored, wanted))),
  );
  return Object.fromEntries(names.map((name) => [name, stored[name]]));
}

/** Returns the stored password of the mailbox; null if its server or user changes. */
function storedImapPassword(
  wanted: ImapInput,
  stored: ChannelSecretsInput | undefined,
): string | null {
  const before = stored?.imap ?? null;
  const isSame = before?.user === wanted.user && isSameServer(before, wanted);
  return isSame ? (before?.password ?? null) : null;
}

interface Server {
  readonly host: string | null;
  readonly port: number | null;
  readonly secure: boolean | null;
}

/** A password would be sent in the clear to whatever answers, where the server offers no STARTTLS. */
const losesTls = (stored: Pick<Server, 'secure'>, wanted: Pick<Server, 'secure'>): boolean =>
  stored.secure === true && wanted.secure !== true;

/** Whether a mailbox is fetched from the same server; true if none is fetched. */
const isSameServer = (stored: Server | null, wanted: Server | null): boolean =>
  wanted === null ||
  (stored !== null &&
    stored.host === wanted.host &&
    stored.port === wanted.port &&
    !losesTls(stored, wanted));

/** A mailbox without a password of its own is fetched with the password of the channel. */
function isSentElsewhere(stored: ChannelSecretsInput, { imap }: ChannelSecretsInput): boolean {
  const isShared = imap !== null && imap.password === null;
  return isShared && (stored.imap?.password !== null || !isSameServer(stored.imap, imap));
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
