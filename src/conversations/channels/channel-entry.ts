import { pattern } from '#core/schema/describe-error.ts';
import { email, oneOf, request, shortText } from '#core/schema/schema.ts';
import { type Channel, CHANNELS } from '../../contacts/channels.ts';
import { Type, type Static } from 'typebox';
import type { EntryIssue } from '#core/section.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { isSender } from '#platform/mail/mailer.ts';

/**
 * The secrets, each with the members whose change invalidates it: the account it belongs to, and the
 * address it is sent to. Otherwise, a changed address would receive the stored secret. `secret`,
 * `appSecret` and `verifyToken` are never sent.
 */
export const SECRETS = {
  password: ['user', 'host', 'port'],
  secret: [],
  authToken: ['accountSid', 'apiBaseUrl'],
  accessToken: ['pageId', 'apiBaseUrl'],
  appSecret: [],
  verifyToken: [],
  clientSecret: ['clientId', 'apiBaseUrl', 'tokenUrl'],
  refreshToken: ['clientId', 'user', 'apiBaseUrl', 'tokenUrl'],
} as const satisfies Partial<Record<keyof ChannelEntry, readonly (keyof ChannelEntry)[]>>;

export type SecretMember = keyof typeof SECRETS;

const PORT_MAX = 65_535;
const SECRET_MAX = 4_000;
const URL_MAX = 2_000;
/** Characters that need no encoding in a URL path. */
const NAME = {
  ...pattern('^[A-Za-z0-9_-]+$', 'must contain only letters A to Z, digits, _ and -'),
  maxLength: 255,
};
const HOST = pattern(
  '^[A-Za-z0-9_.:-]+$',
  'must be a host name or an IP address, for example smtp.example.com, without a scheme or port',
);

const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SECRET_MAX, description }));
const host = (description: string) => Type.String({ ...HOST, maxLength: 255, description });
const port = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: PORT_MAX, description }));
const secure = (description: string) => Type.Optional(Type.Boolean({ description }));
const text = (description: string) => Type.Optional(shortText({ description }));
const name = (description: string) => Type.Optional(Type.String({ ...NAME, description }));
const url = (description: string) =>
  Type.Optional(Type.String({ format: 'uri', maxLength: URL_MAX, description }));

const imap = request({
  host: host('Server that mails are fetched from.'),
  port: port('Default: 993 with TLS, 143 without.'),
  secure: secure('TLS from the first byte. Default: true, except on port 143.'),
  user: text('Login name. Default: the user of smtp.'),
  password: secret('Password of that user. Default: the password of smtp.'),
  mailbox: text('Default: INBOX.'),
});

/** A channel in the manifest. `channelIssues` checks which members its provider allows. */
export const channelEntry = request({
  provider: oneOf(['smtp', 'gmail', 'twilio', 'meta', 'http'], {
    description: 'The provider that carries the messages.',
  }),
  host: Type.Optional(host('smtp: the mail server.')),
  port: port('smtp. Default: 465 with secure, 587 without.'),
  secure: secure('smtp: TLS from the first byte. Default: false.'),
  user: text('smtp: login name. gmail: address of the account.'),
  password: secret('smtp: password of the user.'),
  from: text(
    'Sender. smtp, gmail: an address, or a name with an address. twilio: a number or MG…. http: passed to the bridge.',
  ),
  replyTo: Type.Optional(
    email({ description: 'smtp, gmail: address for replies. A tag is added before the @.' }),
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'smtp: maximum mails per second. http: the same for mails of campaigns.',
    }),
  ),
  imap: Type.Optional(imap),
  accountSid: Type.Optional(
    Type.String({
      ...pattern('^AC[A-Za-z0-9_-]+$', 'must be the account SID of Twilio, which starts with AC'),
      maxLength: 64,
      description: 'twilio: account SID.',
    }),
  ),
  authToken: secret('twilio: auth token.'),
  pageId: name('meta: id of the page; for instagram, of the page or the professional account.'),
  instagramId: name('meta: id of the instagram account. Calls about other accounts are ignored.'),
  accessToken: secret('meta: access token of the page.'),
  appSecret: secret('meta: app secret, which signs callbacks.'),
  verifyToken: secret('meta: token that the challenge of a callback URL must contain.'),
  clientId: text('gmail: id of the OAuth client.'),
  clientSecret: secret('gmail: secret of the OAuth client.'),
  refreshToken: secret('gmail: refresh token of the account.'),
  tokenUrl: url("gmail: URL that issues access tokens. Default: Google's."),
  apiBaseUrl: url("http: URL of the bridge. gmail, twilio, meta: replaces the provider's own."),
  secret: secret('smtp, http: signs callbacks; http: also messages to the bridge.'),
});

export type ChannelEntry = Static<typeof channelEntry>;
export type Provider = ChannelEntry['provider'];

interface ProviderRules {
  /** Undefined: it carries all channels. */
  readonly carries?: readonly Channel[];
  readonly required: readonly (keyof ChannelEntry)[];
  /** A manifest may leave them out once they are stored. */
  readonly requiredSecrets: readonly SecretMember[];
  readonly optional: readonly (keyof ChannelEntry)[];
}

/** The providers with their channels and members. */
export const PROVIDERS: Readonly<Record<Provider, ProviderRules>> = {
  smtp: {
    carries: ['email'],
    required: ['host', 'from'],
    requiredSecrets: [],
    optional: ['port', 'secure', 'user', 'password', 'replyTo', 'ratePerSecond', 'imap', 'secret'],
  },
  gmail: {
    carries: ['gmail'],
    required: ['user', 'clientId'],
    requiredSecrets: ['clientSecret', 'refreshToken'],
    optional: ['from', 'replyTo', 'apiBaseUrl', 'tokenUrl'],
  },
  twilio: {
    carries: ['sms'],
    required: ['accountSid', 'from'],
    requiredSecrets: ['authToken'],
    optional: ['apiBaseUrl'],
  },
  meta: {
    carries: ['messenger', 'instagram'],
    required: ['pageId'],
    requiredSecrets: ['accessToken', 'appSecret', 'verifyToken'],
    optional: ['instagramId', 'apiBaseUrl'],
  },
  http: {
    required: ['apiBaseUrl'],
    requiredSecrets: ['secret'],
    optional: ['from', 'ratePerSecond'],
  },
};

/** Whether a channel of the provider may have the member. */
export function allowsMember(provider: Provider, member: string): boolean {
  const { required, requiredSecrets, optional } = PROVIDERS[provider];
  const allowed: readonly string[] = ['provider', ...required, ...requiredSecrets, ...optional];
  return allowed.includes(member);
}

/** Issues of a channel that the schema cannot express. */
export function channelIssues(given: ChannelEntry, name: string): readonly EntryIssue[] {
  const { provider, user, password, imap } = given;
  const { required } = PROVIDERS[provider];
  const missing = required.filter((member) => given[member] === undefined);
  const foreign = Object.keys(given).filter((member) => !allowsMember(provider, member));
  return [
    ...when(!CHANNELS.some((one) => one === name), '', `is not one of ${CHANNELS.join(', ')}`),
    ...wrongCarrier(provider, name),
    ...missing.map((member) => ({
      path: '',
      message: `must have ${member}: ${provider} requires it`,
    })),
    ...foreign.map((member) => ({
      path: `/${member}`,
      message: `is not a setting of ${provider}`,
    })),
    ...wrongSender(given),
    ...when(password !== undefined && user === undefined, '/password', 'requires user'),
    ...when(
      imap !== undefined && (imap.user ?? user) === undefined,
      '/imap',
      'requires user, in imap or in the channel',
    ),
    ...(['apiBaseUrl', 'tokenUrl'] as const).flatMap((member) =>
      when(
        given[member] !== undefined && hasCredentials(given[member]),
        `/${member}`,
        'must not contain a user name or a password',
      ),
    ),
  ];
}

const when = (isWrong: boolean, path: string, message: string): EntryIssue[] =>
  isWrong ? [{ path, message }] : [];

function wrongCarrier(provider: Provider, name: string): EntryIssue[] {
  const { carries } = PROVIDERS[provider];
  const others = Object.entries(PROVIDERS)
    .filter(([, kind]) => kind.carries?.some((one) => one === name) ?? true)
    .map(([one]) => one);
  return when(
    carries !== undefined && !carries.some((one) => one === name),
    '/provider',
    `must be ${others.join(' or ')} here: ${provider} carries ${carries?.join(' and ')} only`,
  );
}

/** Twilio's id of a messaging service: a group of numbers. */
const MESSAGING_SERVICE = /^MG[A-Za-z0-9_-]+$/;

function wrongSender({ provider, from, user }: ChannelEntry): EntryIssue[] {
  const isMail = provider === 'smtp' || provider === 'gmail';
  return [
    ...when(
      isMail && from !== undefined && !isSender(from),
      '/from',
      'must be an address, or a name with one: Harbour <hello@harbour.example>',
    ),
    ...when(
      provider === 'gmail' && user !== undefined && !FORMATS['email']?.test(user),
      '/user',
      'must be an email address',
    ),
    ...when(
      provider === 'twilio' &&
        from !== undefined &&
        !MESSAGING_SERVICE.test(from) &&
        !FORMATS['e164']?.test(from),
      '/from',
      'must be a number in E.164, or the id of a messaging service: MG…',
    ),
  ];
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
