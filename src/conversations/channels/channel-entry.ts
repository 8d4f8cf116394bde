import { email, oneOf, request, shortText } from '#core/schema/schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { Type, type Static } from 'typebox';

/** The sealed members, each with the members whose change invalidates it. */
export const SECRETS = {
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

const PORT_MAX = 65_535;
const SECRET_MAX = 4_000;
const URL_MAX = 2_000;
/** Characters that need no encoding in a URL path. */
const NAME = { pattern: '^[A-Za-z0-9_-]+$', maxLength: 255 };

const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SECRET_MAX, description }));
const host = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_.:-]+$', maxLength: 255, description });
const port = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: PORT_MAX, description }));
const secure = (description: string) => Type.Optional(Type.Boolean({ description }));
const text = (description: string) => Type.Optional(shortText({ description }));
const name = (description: string) => Type.Optional(Type.String({ ...NAME, description }));
const url = (description: string) =>
  Type.Optional(Type.String({ format: 'uri', maxLength: URL_MAX, description }));

const imap = request({
  host: host('The server that mails are fetched from.'),
  port: port('993, or 143 without secure.'),
  secure: secure('TLS from the first byte; so unless given, but for port 143.'),
  user: text('Who logs in; the user of smtp unless given.'),
  password: secret('Of that user; that of smtp unless given.'),
  mailbox: text('INBOX unless given.'),
});

/** A channel in the manifest. `channelIssues` checks which members a provider takes. */
export const channelEntry = request({
  provider: oneOf(['smtp', 'gmail', 'twilio', 'meta', 'http'], {
    description: 'Who carries the messages.',
  }),
  host: Type.Optional(host('smtp: its server.')),
  port: port('smtp.'),
  secure: secure('smtp: TLS from the first byte.'),
  user: text('smtp: who logs in; gmail: the address of the account.'),
  password: secret('smtp: of the user.'),
  from: text('Who writes; smtp, gmail: an address or a name with one; twilio: a number or MG….'),
  replyTo: Type.Optional(
    email({ description: 'smtp, gmail: where answers go; a tag is added before the @.' }),
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'smtp: mails a second at most; http: mails of campaigns.',
    }),
  ),
  imap: Type.Optional(imap),
  accountSid: Type.Optional(
    Type.String({ pattern: '^AC[A-Za-z0-9_-]+$', maxLength: 64, description: 'twilio.' }),
  ),
  authToken: secret('twilio.'),
  pageId: name('meta: the page; for instagram the page or the professional account.'),
  instagramId: name('meta: the instagram account; calls about others are ignored.'),
  accessToken: secret('meta: of the page.'),
  appSecret: secret('meta: signs callbacks.'),
  verifyToken: secret('meta: what the challenge of a callback address must bring.'),
  clientId: text('gmail: of the OAuth client.'),
  clientSecret: secret('gmail: of the OAuth client.'),
  refreshToken: secret('gmail: of the account.'),
  tokenUrl: url('gmail: where access tokens come from.'),
  apiBaseUrl: url('http: what is posted to; gmail, twilio, meta: instead of their own.'),
  secret: secret('smtp, http: signs callbacks, and what is posted to an http bridge.'),
});

export type ChannelEntry = Static<typeof channelEntry>;
export type Provider = ChannelEntry['provider'];

interface Kind {
  /** The channels that it carries; all of them if undefined. */
  readonly carries?: readonly Channel[];
  /** Required members. */
  readonly must: readonly (keyof ChannelEntry)[];
  /** Required secrets, which a manifest may leave out once they are stored. */
  readonly needs: readonly SecretMember[];
  /** Optional members. */
  readonly may: readonly (keyof ChannelEntry)[];
}

/** The providers with their channels and members. */
export const PROVIDERS: Readonly<Record<Provider, Kind>> = {
  smtp: {
    carries: ['email'],
    must: ['host', 'from'],
    needs: [],
    may: ['port', 'secure', 'user', 'password', 'replyTo', 'ratePerSecond', 'imap', 'secret'],
  },
  gmail: {
    carries: ['gmail'],
    must: ['user', 'clientId'],
    needs: ['clientSecret', 'refreshToken'],
    may: ['from', 'replyTo', 'apiBaseUrl', 'tokenUrl'],
  },
  twilio: {
    carries: ['sms'],
    must: ['accountSid', 'from'],
    needs: ['authToken'],
    may: ['apiBaseUrl'],
  },
  meta: {
    carries: ['messenger', 'instagram'],
    must: ['pageId'],
    needs: ['accessToken', 'appSecret', 'verifyToken'],
    may: ['instagramId', 'apiBaseUrl'],
  },
  http: { must: ['apiBaseUrl'], needs: ['secret'], may: ['from', 'ratePerSecond'] },
};

export function takes(provider: Provider, member: string): boolean {
  const { must, needs, may } = PROVIDERS[provider];
  return member === 'provider' || [...must, ...needs, ...may].some((one) => one === member);
}
