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

interface Row {
  readonly id: string;
  readonly channel: string;
  readonly provider: Provider;
  readonly settings: Partial<ChannelSecretsInput>;
  readonly sealed: Buffer | null;
  /** Decrypted; empty without the secret key. */
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
  keyOf: ({ channel }: Row) => channel,
  valueOf: ({ provider, settings, decrypted }): ChannelSecretsInput => ({
    ...ALL_NULL,
    ...joinSecrets(settings, decrypted),
    provider,
  }),
  create(work, wanted, channel, _idOf, tools): Row {
    refuseIncomplete(wanted, channel);
    const id = newId(work.now);
    const row = rowOf({ id, channel, sealed: null }, wanted, tools);
    work.write(INSERT, [work.subAccountId, id, work.now, channel, ...writtenOf(row)]);
    return row;
  },
  update(work, row, wanted, _idOf, tools) {
    if (tools.secrets) {
      refuseIncomplete(wanted, row.channel);
    }
    const changed = rowOf(row, wanted, tools);
    work.write(UPDATE, [work.subAccountId, row.id, work.now, ...writtenOf(changed)]);
  },
  remove: (work, { id }) => work.write(DELETE, [work.subAccountId, id]),
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

async function load(work: Work, { secrets }: SectionTools): Promise<Row[]> {
  const rows = await work.rows<Omit<Row, 'decrypted'>>(STORED, [work.subAccountId]);
  return rows.map((row) => {
    const decrypted =
      secrets && row.sealed
        ? (JSON.parse(secrets.open(row.sealed, channelPlace(row.id))) as DecryptedSecrets)
        : {};
    return { ...row, decrypted };
  });
}

const STORED = `select id, channel, provider, settings, secrets as sealed from channels
  where sub_account_id = $1 order by channel`;

function rowOf(
  { id, channel, sealed }: Pick<Row, 'id' | 'channel' | 'sealed'>,
  wanted: ChannelSecretsInput,
  { secrets }: SectionTools,
): Row {
  const { settings, decrypted } = splitSecrets(wanted);
  const hasSecrets = Object.keys(decrypted).length > 0;
  if (hasSecrets && !secrets) {
    throw new Fault('VALIDATION_ERROR', `channels: ${channel} has secrets, but ${NO_KEY}`);
  }
  const fresh = hasSecrets ? secrets?.seal(JSON.stringify(decrypted), channelPlace(id)) : null;
  return {
    id,
    channel,
    provider: wanted.provider ?? 'http',
    settings,
    sealed: (secrets ? fresh : sealed) ?? null,
    decrypted,
  };
}

const NO_KEY = 'FRONTDESK_SECRET_KEY, which encrypts them, is not set';

const writtenOf = ({ provider, settings, sealed }: Row) => [
  provider,
  JSON.stringify(settings),
  sealed,
];

const INSERT = `insert into channels
    (sub_account_id, id, created_at, updated_at, channel, provider, settings, secrets)
  values ($1, $2, $3, $3, $4, $5, $6, $7)`;

const UPDATE = `update channels set updated_at = $3, provider = $4, settings = $5, secrets = $6
  where sub_account_id = $1 and id = $2`;

const DELETE = 'delete from channels where sub_account_id = $1 and id = $2';

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
export function storedSecrets(
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
export function storedImapPassword(
  given: Imap,
  stored: ChannelSecretsInput | undefined,
): string | null {
  const before = stored?.imap;
  const isSame = before?.host === given.host && before.user === (given.user ?? null);
  return isSame ? (before?.password ?? null) : null;
}

/** Splits an entry into plain settings and secrets to seal. */
export function splitSecrets(entry: ChannelSecretsInput): {
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
export function joinSecrets(
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
