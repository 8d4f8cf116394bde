import { describe } from '../../support/service.ts';
import { SUPPORT_SCOPES } from './roles.ts';
import { converseReading, cross, each, type Dialogue } from './dialogue.support.ts';

const PEOPLE = ['Ada', 'Ben Krause', 'grace@example.com', 'Hopper'];

const about = (name: string, more: object = {}) => ({ conversation: name, contact: name, ...more });

/** What a support bot reads, tries, and what it must not do. Nothing changes. */
const dialogues: readonly Dialogue[] = [
  ...each(
    cross(
      ['list the conversations', 'list all conversations', 'list the newest conversations'],
      [{}, { status: 'open' }, { channel: 'live_chat' }],
    ),
    { ends: 'done', says: /4 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['list the conversations', 'list conversations with customers'],
      [{ status: 'closed' }, { status: 'snoozed' }, { channel: 'sms' }, { channel: 'email' }],
    ),
    { ends: 'done', says: /0 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['list the conversations'],
      PEOPLE.map((contact) => ({ contact })),
    ),
    { ends: 'done', says: /1 row/, calls: 2 },
  ),
  ...each(
    cross(
      ['list the conversations'],
      [{ status: 'lost' }, { channel: 'pigeon' }, { contact: 'Nemo' }],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['read the conversation', 'read the messages of the conversation'],
      PEOPLE.map((name) => about(name)),
    ),
    { ends: 'done', says: /1 row/, calls: 3 },
  ),
  ...each(
    cross(
      ['read the conversation'],
      ['Nemo', 'zzz', 'no@one.example'].map((name) => about(name)),
    ),
    { ends: 'asks', says: /find no/ },
  ),
  ...each(
    cross(
      ['find a contact', 'search contacts'],
      [
        { search: 'byron' },
        { search: 'Grace Hopper' },
        { email: 'sam@example.com' },
        { tags: 'vip' },
      ],
    ),
    { ends: 'done', says: /1 row/, calls: 1 },
  ),
  ...each(
    cross(
      ['return everything known about the contact'],
      PEOPLE.map((contact) => ({ contact })),
    ),
    { ends: 'done', calls: 2 },
  ),
  ...each(
    cross(
      ['send a message', 'answer with a message'],
      PEOPLE.map((name) => about(name, { 'body text': 'We open at nine.', 'dry run': true })),
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(
    cross(
      ['send a message'],
      [
        about('Nemo', { 'body text': 'Hello' }),
        about('Ada', { 'body text': '' }),
        about('Ada', { 'body text': 'x'.repeat(100_001) }),
        { contact: 'Ada', channel: 'email', 'body text': 'Hello' },
        { contact: 'Ben', channel: 'whatsapp', 'body text': 'Hello' },
        { contact: 'Grace', channel: 'sms', 'body text': 'Hello' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['update the conversation'],
      [
        about('Ada', { status: 'snoozed', 'snoozed until': '@0T00:00' }),
        about('Ben', { status: 'snoozed', 'snoozed until': 'next week' }),
        about('Ada', { status: 'finished' }),
        about('Nemo', { status: 'closed' }),
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['update the conversation'],
      [
        about('Ada', { status: 'closed', 'dry run': true }),
        about('Grace', { 'is archived': true, 'dry run': true }),
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  // Customers prove who they are before their appointments are shown.
  ...each(
    cross(
      ['list the customer appointments', 'list my own appointments as a customer'],
      [
        { contact: 'Ada' },
        { contact: 'Ben' },
        { email: 'ada@example.com', 'last name': 'Byron' },
        { email: 'ben@example.com', 'last name': 'KRAUSE' },
        { email: 'ben@example.com', phone: '+442079460002' },
        { phone: '+442079460002', 'last name': 'Krause' },
      ],
    ),
    { ends: 'done', says: /1 row/ },
  ),
  ...each(
    cross(
      ['list the customer appointments'],
      [{ email: 'ada@example.com' }, { phone: '+442079460001' }, { 'last name': 'Byron' }, {}],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['list the customer appointments'],
      [
        { email: 'ada@example.com', 'last name': 'Krause' },
        { email: 'ada@example.com', phone: '+442079460002' },
        { email: 'no@one.example', 'last name': 'Byron' },
      ],
    ),
    { ends: 'asks', says: /Ask the customer to check/ },
  ),
  ...each(
    cross(
      ['list free times', 'find a free time'],
      [
        { 'appointment type': 'Check-up', date: '@1' },
        { 'appointment type': 'Cleaning', date: '@3' },
      ],
    ),
    { ends: 'done', says: /\d+ rows/, calls: 2 },
  ),
  ...each(
    cross(
      ['list services and prices', 'list the services with their prices', 'list our prices'],
      [{}],
    ),
    { ends: 'done', says: /2 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['list services and prices'],
      [{ search: 'filling' }, { search: 'cro' }, { search: 'Crown' }],
    ),
    { ends: 'done', says: /1 row/, calls: 1 },
  ),
  ...each(cross(['list services and prices'], [{ search: 'implant' }, { search: 'zzz' }]), {
    ends: 'done',
    says: /0 rows/,
    calls: 1,
  }),
  ...each(
    cross(
      ['list the quotes and prices', 'list the prices and quotes of a contact'],
      PEOPLE.map((contact) => ({ contact })),
    ),
    { ends: 'done', says: /0 rows/ },
  ),
  ...each(
    cross(
      ['save a task', 'create a task'],
      [
        { title: 'Call back', 'dry run': true },
        { title: 'Call back', contact: 'Ada', 'dry run': true },
        { title: 'Check the parking', 'due date': '@1T09:00', 'dry run': true },
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(cross(['list the tasks', 'list tasks of the team'], [{}, { contact: 'Ada' }]), {
    ends: 'done',
    says: /\d rows?/,
  }),
  ...each(cross(['save a task'], [{ priority: 'high' }, { title: 'x', 'due date': 'soon' }]), {
    ends: 'asks',
  }),
  ...each([['delete the task', { task: 'gloves' }]], { ends: 'asks', says: /May I/ }),
  // What the key may not do.
  ...each(
    [
      ['delete the contact', { contact: 'Ada' }],
      ['save the contact', { contact: 'Ada', city: 'Rome' }],
      ['list the deals'],
      ['change the deal', { deal: 'Roof' }],
      ['list the campaigns'],
      ['list the webhooks'],
    ],
    { ends: 'tells' },
  ),
];

describe('what a support bot is asked', () => {
  converseReading(dialogues, SUPPORT_SCOPES);
});
