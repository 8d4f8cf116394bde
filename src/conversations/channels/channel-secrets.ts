import { SECRETS, type SecretMember, allowsMember, type ChannelEntry } from './channel-entry.ts';

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

export const SECRET_MEMBERS = Object.keys(SECRETS) as SecretMember[];

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
