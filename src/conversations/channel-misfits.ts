import type { Misfit } from '#kit/section.ts';
import { isSender } from '#platform/mailer.ts';
import type { ChannelEntry } from './channel-entry.ts';
import { CHANNELS } from './conversation.shape.ts';

type Member = keyof ChannelEntry;

/** What each provider must be told, and what it may be told besides. */
const MEMBERS: Readonly<Record<ChannelEntry['provider'], Readonly<Record<string, Member[]>>>> = {
  smtp: {
    must: ['host', 'from'],
    may: ['port', 'secure', 'user', 'password', 'ratePerSecond', 'secret'],
  },
  http: { must: ['apiBaseUrl'], may: ['secret', 'from'] },
};

/** What is wrong with a channel of the manifest that its schema cannot say. */
export function channelMisfits(given: ChannelEntry, name: string): readonly Misfit[] {
  const { provider, from, user, password, apiBaseUrl } = given;
  const { must = [], may = [] } = MEMBERS[provider];
  const known = new Set<string>(['provider', ...must, ...may]);
  const lacking = must.filter((member) => given[member] === undefined);
  const strange = Object.keys(given).filter((member) => !known.has(member));
  return [
    ...when(!CHANNELS.some((one) => one === name), '', `is not one of ${CHANNELS.join(', ')}`),
    ...when(
      provider === 'smtp' && name !== 'email',
      '/provider',
      'must be http here: smtp carries email only',
    ),
    ...lacking.map((member) => ({
      path: '',
      message: `must have ${member}, which ${provider} needs`,
    })),
    ...strange.map((member) => ({ path: `/${member}`, message: `is not for ${provider}` })),
    ...when(
      provider === 'smtp' && from !== undefined && !isSender(from),
      '/from',
      'must be an address, or a name with one: Harbour <hello@harbour.example>',
    ),
    ...when(password !== undefined && user === undefined, '/password', 'needs user beside it'),
    ...when(
      apiBaseUrl !== undefined && hasCredentials(apiBaseUrl),
      '/apiBaseUrl',
      'must not carry a user name or a password',
    ),
  ];
}

const when = (isWrong: boolean, path: string, message: string): Misfit[] =>
  isWrong ? [{ path, message }] : [];

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
