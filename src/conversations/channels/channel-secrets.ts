import { takes, type ChannelEntry } from './channel-entry.ts';

/** An entry with every member, null where it is not said. */
export type ChannelSecretsInput = {
  readonly [K in keyof ChannelEntry]-?: K extends 'imap'
    ? WantedImap | null
    : NonNullable<ChannelEntry[K]> | null;
};

type Imap = NonNullable<ChannelEntry['imap']>;
type WantedImap = Required<Omit<Imap, 'user' | 'password'>> & {
  readonly [K in 'user' | 'password']: string | null;
};

/** What is sealed, each with the members whose change makes another one of it. */
const SECRETS = {
  password: ['user'],
  secret: [],
  authToken: ['accountSid'],
  accessToken: ['pageId'],
  appSecret: [],
  verifyToken: [],
  clientSecret: ['clientId'],
  refreshToken: ['clientId', 'user'],
} as const satisfies Partial<Record<keyof ChannelEntry, readonly (keyof ChannelEntry)[]>>;

export type SecretMember = keyof typeof SECRETS;
export const SECRET_MEMBERS = Object.keys(SECRETS) as SecretMember[];

/** The secrets of a channel as they are sealed, in one record. */
export type DecryptedSecrets = Readonly<Partial<Record<SecretMember | 'imapPassword', string>>>;

/** What is stored of the secrets that an entry leaves out and that are still those of the same account. */
export function keptSecrets(
  given: ChannelEntry,
  stored: ChannelSecretsInput | undefined,
): Partial<ChannelSecretsInput> {
  const kept = SECRET_MEMBERS.filter(
    (name) =>
      takes(given.provider, name) &&
      SECRETS[name].every((member) => (given[member] ?? null) === stored?.[member]),
  );
  return Object.fromEntries(kept.map((name) => [name, stored?.[name] ?? null]));
}

/** The same of the mailbox: another server or user has another password. */
export function keptImapPassword(
  given: Imap,
  stored: ChannelSecretsInput | undefined,
): string | null {
  const before = stored?.imap;
  const isSame = before?.host === given.host && before.user === (given.user ?? null);
  return isSame ? (before?.password ?? null) : null;
}

/** An entry taken apart: what is kept in the open, and what is sealed. */
export function split(wanted: ChannelSecretsInput): {
  readonly settings: Partial<ChannelSecretsInput>;
  readonly held: DecryptedSecrets;
} {
  const { imap } = wanted;
  const isSecret = (name: string): boolean => Object.hasOwn(SECRETS, name);
  const members = Object.entries(wanted).filter(([name]) => name !== 'provider');
  const settings = {
    ...Object.fromEntries(members.filter(([name]) => !isSecret(name))),
    imap: imap && { ...imap, password: null },
  };
  const secret = [
    ...members.filter(([name]) => isSecret(name)),
    ['imapPassword', imap?.password ?? null] as const,
  ];
  return { settings, held: Object.fromEntries(secret.filter(([, value]) => value !== null)) };
}

/** And put together again. */
export function join(
  settings: Partial<ChannelSecretsInput>,
  { imapPassword, ...held }: DecryptedSecrets,
) {
  const { imap } = settings;
  return {
    ...settings,
    ...held,
    ...(imap && { imap: { ...imap, password: imapPassword ?? null } }),
  };
}
