import type { Issue } from '#core/section.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { isSender } from '#platform/mail/mailer.ts';
import { PROVIDERS, allowsMember, type ChannelEntry, type Provider } from './channel-entry.ts';
import { CHANNELS } from '../../contacts/channels.ts';

/** Issues of a channel that the schema cannot express. */
export function channelIssues(given: ChannelEntry, name: string): readonly Issue[] {
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

const when = (isWrong: boolean, path: string, message: string): Issue[] =>
  isWrong ? [{ path, message }] : [];

function wrongCarrier(provider: Provider, name: string): Issue[] {
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

function wrongSender({ provider, from, user }: ChannelEntry): Issue[] {
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
