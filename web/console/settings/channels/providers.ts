import type { Entry, EntryField } from '../forms/entry.ts';
import { channelMessages } from './channel-messages.ts';

export type Provider = keyof ReturnType<typeof channelMessages>['providers'];

export const CHANNELS = [
  'email',
  'gmail',
  'sms',
  'messenger',
  'instagram',
  'live_chat',
  'social_dm',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** The provider of a channel besides a bridge, which carries all channels. */
const USUAL: Readonly<Partial<Record<Channel, Provider>>> = {
  email: 'smtp',
  gmail: 'gmail',
  sms: 'twilio',
  messenger: 'meta',
  instagram: 'meta',
};

/** Returns the providers that can carry a channel, the usual one first. */
export function providersOf(channel: Channel): readonly Provider[] {
  const usual = USUAL[channel];
  return usual === undefined ? ['http'] : [usual, 'http'];
}

/** Returns the fields of a channel. Secrets are required as long as none are stored. */
export function channelFields(provider: Provider, isNew: boolean): readonly EntryField[] {
  const { fields: labels, stored } = channelMessages();
  type Path = keyof typeof labels;
  const text = (path: Path, isRequired = false): EntryField => ({
    path,
    label: labels[path],
    kind: 'text',
    isRequired,
  });
  const number = (path: Path): EntryField => ({ path, label: labels[path], kind: 'number' });
  const usually = (field: EntryField, hint: string): EntryField => ({ ...field, hint });
  const secret = (path: Path, isNeeded = true): EntryField => ({
    path,
    label: labels[path],
    kind: 'secret',
    isRequired: isNew && isNeeded,
    ...(!isNew && { hint: stored }),
  });
  const fields: Readonly<Record<Provider, readonly EntryField[]>> = {
    smtp: [
      text('from', true),
      text('host', true),
      usually(number('port'), '587'),
      { path: 'secure', label: labels.secure, kind: 'switch' },
      text('user'),
      secret('password', false),
      text('replyTo'),
      number('ratePerSecond'),
      text('imap/host'),
      usually(number('imap/port'), '993'),
      text('imap/user'),
      secret('imap/password', false),
      usually(text('imap/mailbox'), 'INBOX'),
    ],
    gmail: [
      text('user', true),
      text('clientId', true),
      secret('clientSecret'),
      secret('refreshToken'),
      text('from'),
      text('replyTo'),
    ],
    twilio: [text('accountSid', true), secret('authToken'), text('from', true)],
    meta: [
      text('pageId', true),
      text('instagramId'),
      secret('accessToken'),
      secret('appSecret'),
      secret('verifyToken'),
    ],
    http: [text('apiBaseUrl', true), secret('secret'), text('from'), number('ratePerSecond')],
  };
  return fields[provider];
}

/** Returns the entry of a channel with its provider, and without a mailbox that has no server. */
export function completeChannel(provider: Provider, { imap, ...entry }: Entry): Entry {
  const hasMailbox = typeof imap === 'object' && imap !== null && 'host' in imap;
  return { provider, ...entry, ...(hasMailbox && { imap }) };
}
