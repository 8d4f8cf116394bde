import { describe } from '../../support/service.ts';
import { SUPPORT_SCOPES } from './roles.ts';
import { converse, each, say, type Dialogue } from './dialogue.support.ts';

const PEOPLE = ['Ada Byron', 'Ben Krause', 'Grace Hopper'];
const TEXTS = [
  'We are open until six.',
  'Yes, parking is free.',
  'Bitte kommen Sie um zehn. 😀',
  'No.',
];

const about = (name: string, more: object = {}) => ({ conversation: name, contact: name, ...more });

/** Messages are sent by the worker, which is not running: their events follow later. */
const dialogues: readonly Dialogue[] = [
  ...each(
    [
      ['list the conversations'],
      ['list the open conversations'],
      ['list conversations with customers'],
    ],
    {
      ends: 'done',
      says: /4 rows/,
      calls: 1,
    },
  ),
  ...each([['list the closed conversations'], ['list the snoozed conversations']], {
    ends: 'done',
    says: /0 rows/,
    calls: 1,
  }),
  ...each(
    PEOPLE.map((name) => ['read the conversation', about(name)] as const),
    { ends: 'done', says: /1 row/, calls: 3 },
  ),
  ...each(
    [...PEOPLE, 'ada@example.com'].flatMap((name) =>
      TEXTS.map((text) => ['send a message', about(name, { 'body text': text })] as const),
    ),
    { ends: 'done', says: /^Done: / },
  ),
  ...each(
    PEOPLE.map(
      (contact) =>
        ['send a message', { contact, channel: 'live_chat', 'body text': 'Hello' }] as const,
    ),
    { ends: 'done', says: /^Done: / },
  ),
  ...each(
    [
      ['send a message', { contact: 'Ada', channel: 'sms', 'body text': 'Hello' }],
      ['send a message', { contact: 'Ben', channel: 'messenger', 'body text': 'Hello' }],
      ['send a message', { contact: 'Ada', 'body text': 'Hello' }],
      ['send a message', { 'body text': 'Hello' }],
      ['send a message', { contact: 'Ada', channel: 'fax', 'body text': 'Hello' }],
      ['send a message', { contact: 'Nemo', channel: 'live_chat', 'body text': 'Hello' }],
      ['send a message', about('Ada', { 'body text': ' ' })],
      ['send a message', about('Ada')],
    ],
    { ends: 'asks' },
  ),
  ...each([['send a message', about('Sam Stone', { 'body text': 'Hello' })]], { ends: 'done' }),
  ...each(
    PEOPLE.map(
      (name) =>
        [
          'send a message as a note',
          about(name, { 'body text': 'VIP', 'is internal': true }),
        ] as const,
    ),
    { ends: 'done' },
  ),
  ...each([['send a message', about('Ada', { 'body text': 'Hi', 'dry run': true })]], {
    ends: 'done',
    says: /^Dry run/,
  }),
  ...each([['send a message', about('Ben', { 'body text': 'Hi' })]], {
    ends: 'waits',
    policy: { tells: 'ask' },
    says: /person must approve/,
  }),
  ...['Ada', 'Ben'].map((name) => ({
    steps: [
      say('send a message', about(name, { 'body text': 'Twice?' })),
      say('send a message', about(name, { 'body text': 'Twice?' })),
    ],
    ends: 'done' as const,
    says: /^Already done by an equal call; not run again/,
  })),
  ...each(
    [
      ['update the conversation: closed', about('Ada')],
      ['update the conversation: closed', about('Ben')],
      ['update the conversation', about('Grace', { status: 'closed' })],
      ['update the conversation', about('Ada', { status: 'snoozed', 'snoozed until': '@3T09:00' })],
      ['update the conversation', about('Ada', { 'is archived': true })],
    ],
    { ends: 'done' },
  ),
  ...each(
    [
      ['update the conversation', about('Ada', { status: 'snoozed', 'snoozed until': '@0T00:00' })],
      ['update the conversation', about('Ada', { status: 'lost' })],
      [
        'update the conversation',
        about('Ada', { 'assigned to': '019300aa-0000-7000-8000-000000000000' }),
      ],
    ],
    { ends: 'asks' },
  ),
  ...each(
    [
      ['list the customer appointments', { contact: 'Ada' }],
      ['list the customer appointments', { email: 'ada@example.com', 'last name': 'Byron' }],
      ['list the customer appointments', { email: 'ben@example.com', phone: '+442079460002' }],
      ['list the customer appointments', { phone: '+442079460001', 'last name': 'byron' }],
      ['list the customer appointments', { contact: 'Ada', email: 'ada@example.com' }],
    ],
    { ends: 'done', says: /1 row/ },
  ),
  ...each(
    [
      ['list the customer appointments', { email: 'ada@example.com' }],
      ['list the customer appointments', { 'last name': 'Byron' }],
      ['list the customer appointments'],
    ],
    { ends: 'asks' },
  ),
  ...['Ada', 'Ben'].map((contact) => ({
    steps: [
      say('list the customer appointments', { contact }),
      say('change the customer appointment: cancel', { contact, appointment: 'Check-up' }),
    ],
    ends: 'done' as const,
    fires: ['appointment.cancelled'],
  })),
  ...[
    ['Ada', '16:00'],
    ['Ben', '08:30'],
  ].map(([contact, time]) => ({
    steps: [
      say('list the customer appointments', { contact }),
      say('move the customer appointment: reschedule', {
        contact,
        appointment: 'Check-up',
        'appointment type': 'Check-up',
        date: '@2',
        time,
      }),
    ],
    ends: 'done' as const,
    fires: ['appointment.rescheduled'],
  })),
  ...each([['list services and prices'], ['what are the prices and quotes']], {
    ends: 'done',
    says: /2 rows/,
    calls: 1,
  }),
  ...each(
    [
      ['list services and prices', { search: 'fill' }],
      ['list services and prices', { search: 'CROWN' }],
    ],
    { ends: 'done', says: /1 row/, calls: 1 },
  ),
  ...each([['list the quotes and prices', { contact: 'Ada' }]], { ends: 'done', says: /0 rows/ }),
  ...each(
    [
      ['save a task', { title: 'Call back', contact: 'Ada' }],
      ['save a task', { title: 'Call back', priority: 'urgent' }],
      ['save a task', { title: 'Call back', 'due date': '@3T09:00' }],
    ],
    { ends: 'done', fires: ['task.created'] },
  ),
  ...each([['save a task', { description: 'no title' }]], { ends: 'asks', says: /title/ }),
  ...each(
    [
      ['send a message', about('Ada', { 'body text': 'Hi' })],
      ['save a task', { title: 'x' }],
    ],
    {
      ends: 'tells',
      scopes: ['contacts:read', 'conversations:read'],
    },
  ),
  ...each(
    [
      ['merge contacts'],
      ['send the campaign'],
      ['delete the conversation', { conversation: 'Ada' }],
    ],
    {
      ends: 'tells',
    },
  ),
  {
    steps: [1, 2, 3, 4].map((n) => say('save a task', { title: `Task ${n}` })),
    ends: 'waits',
    says: /Wait \d+ seconds, then call again with the same arguments/,
    rateWrite: '3/1m',
    fires: ['task.created', 'task.created', 'task.created'],
  },
];

describe('a support bot', () => {
  converse(dialogues, SUPPORT_SCOPES);
});
