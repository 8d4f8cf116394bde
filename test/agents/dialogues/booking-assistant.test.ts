import { describe } from '../../support/service.ts';
import { BOOKING_SCOPES } from './roles.ts';
import { converse, each, say, type Dialogue } from './dialogue.support.ts';

const CHECKUP = { 'appointment type': 'Check-up', date: '@2' };
const PEOPLE = ['Ada Byron', 'Ben Krause', 'Grace Hopper', 'grace@example.com', 'Hopper'];
const BOOKED = ['appointment.booked'];

const book = (facts: object) => ['book an appointment', { ...CHECKUP, ...facts }] as const;
const NEW_CUSTOMER = { 'first name': 'Iris', 'last name': 'Moss', email: 'iris@example.com' };

const dialogues: readonly Dialogue[] = [
  ...each(
    ['Check-up', 'check-up', 'CHECK-UP', 'Cleaning'].flatMap((type) =>
      ['@1', '@2', '@9'].map(
        (date) => ['find free times', { 'appointment type': type, date }] as const,
      ),
    ),
    { ends: 'done', says: /\d+ rows/, calls: 2 },
  ),
  ...each([['find the types to book']], { ends: 'done', says: /2 rows/, calls: 1 }),
  ...each(
    PEOPLE.flatMap((contact) => [
      book({ contact, time: '10:00' }),
      book({ contact, time: '15:30', date: '@5' }),
      book({ contact, 'appointment type': 'Cleaning', time: '13:00', date: '@3' }),
    ]),
    { ends: 'done', fires: BOOKED, says: /scheduled/ },
  ),
  ...each(
    [
      book({ ...NEW_CUSTOMER, time: '10:00' }),
      book({ ...NEW_CUSTOMER, email: 'IRIS@example.com', time: '00:00' }),
      book({ 'first name': 'Iris', 'last name': 'Moss', phone: '+442079460009', time: '23:30' }),
      book({ ...NEW_CUSTOMER, notes: 'is afraid of needles', time: '11:00' }),
      book({ ...NEW_CUSTOMER, 'appointment type': 'Cleaning', time: '14:00' }),
    ],
    { ends: 'done', fires: ['contact.created', ...BOOKED] },
  ),
  ...each([book({ 'first name': 'Iris', time: '10:00' }), book({ time: '10:00' })], {
    ends: 'asks',
    says: /email|contactId/,
  }),
  // A time that was given away meanwhile.
  ...each(
    [
      book({ contact: 'Grace', 'start time': '@2T09:00', 'end time': '@2T09:30' }),
      book({ contact: 'Grace', 'start time': '@2T12:00', 'end time': '@2T12:30' }),
      book({ ...NEW_CUSTOMER, 'start time': '@2T12:00', 'end time': '@2T12:30' }),
    ],
    { ends: 'asks', says: /Offer the times .* \d\d:\d\d \(/ },
  ),
  ...['Ada', 'Ben', 'Grace'].map((contact) => ({
    steps: [
      say('book an appointment', {
        'appointment type': 'Check-up',
        contact,
        flexible: true,
        'start time': '@2T12:00',
        'end time': '@2T12:30',
      }),
      say('list the appointments', {}),
    ],
    ends: 'done' as const,
    says: /3 rows/,
    fires: BOOKED,
  })),
  ...each(
    [book({ contact: 'Nemo', time: '10:00' }), book({ contact: 'no@one.example', time: '10:00' })],
    {
      ends: 'asks',
      says: /find no contact/,
    },
  ),
  ...each([book({ contact: 'Ada', 'appointment type': 'Surgery', time: '10:00' })], {
    ends: 'asks',
    says: /find no appointment type/,
  }),
  ...each([book({ contact: 'Ada', time: '09:00' }), book({ contact: 'Ada', time: '12:00' })], {
    ends: 'asks',
    says: /nothing that fits/,
  }),
  ...each([book({ contact: 'Ada', 'start time': '@0T00:00', 'end time': '@0T00:30' })], {
    ends: 'asks',
  }),
  ...each(
    [book({ contact: 'Ada', time: '10:00' }), book({ ...NEW_CUSTOMER, time: '10:00' })].map(
      ([task, facts]) => [task, { ...facts, 'dry run': true }] as const,
    ),
    { ends: 'done', says: /^Dry run, nothing was changed/ },
  ),
  ...each([book({ contact: 'Ada', time: '10:00' }), book({ ...NEW_CUSTOMER, time: '13:00' })], {
    ends: 'waits',
    says: /person must approve.*Tell the user/,
    policy: { tells: 'ask' },
  }),
  ...each(
    [
      ['move the appointment', { appointment: 'Ada', ...CHECKUP, time: '16:00' }],
      ['move the appointment', { appointment: 'Ben', ...CHECKUP, date: '@4', time: '08:00' }],
      ['move the appointment', { appointment: 'ada@example.com', ...CHECKUP, time: '09:30' }],
      [
        'move this appointment to another time',
        { appointment: 'Krause', ...CHECKUP, time: '12:30' },
      ],
    ],
    { ends: 'done', fires: ['appointment.rescheduled'] },
  ),
  ...each(
    [
      [
        'move the appointment',
        { appointment: 'Ada', 'start time': '@2T12:00', 'end time': '@2T12:30' },
      ],
      [
        'move the appointment',
        { appointment: 'Ben', 'start time': '@2T09:00', 'end time': '@2T09:30' },
      ],
    ],
    { ends: 'asks', says: /Offer the times/ },
  ),
  ...each(
    [
      ['cancel the appointment', { appointment: 'Ada' }],
      ['cancel the appointment', { appointment: 'Ben', reason: 'has a cold' }],
      ['cancel the appointment', { appointment: 'ben@example.com' }],
    ],
    { ends: 'done', fires: ['appointment.cancelled'] },
  ),
  ...each(
    [
      ['cancel the appointment', { appointment: 'Grace' }],
      [
        'move the appointment',
        { appointment: 'Grace', 'start time': '@2T12:00', 'end time': '@2T12:30' },
      ],
    ],
    { ends: 'asks', says: /find no appointment/ },
  ),
  ...each(
    [
      ['list the appointments'],
      ['list appointments of all customers'],
      ['list the scheduled appointments'],
      ['list the appointments of a day', { 'start date': '@2T00:00', 'end date': '@3T00:00' }],
    ],
    { ends: 'done', says: /2 rows/, calls: 1 },
  ),
  ...each([['list the cancelled appointments'], ['list the completed appointments']], {
    ends: 'done',
    says: /0 rows/,
    calls: 1,
  }),
  ...each(
    [
      ['save a contact', { 'first name': 'Iris', 'last name': 'Moss', email: 'iris@example.com' }],
      ['save a contact', { 'first name': 'Iris', 'last name': 'Moss', phone: '+442079460009' }],
    ],
    { ends: 'done', fires: ['contact.created'], calls: 1 },
  ),
  ...each(
    [
      ['save the contact', { contact: 'Ada', city: 'Berlin' }],
      ['save the contact', { email: 'ada@example.com', city: 'Paris' }],
      ['save the contact', { contact: 'Ben', phone: '+442079460077' }],
    ],
    { ends: 'done', fires: ['contact.updated'] },
  ),
  ...each([['save the contact', { contact: 'Ben', phone: '0300 1234' }]], {
    ends: 'asks',
    says: /phone/,
  }),
  // What the key may not do.
  ...each([['send the campaign'], ['list the deals'], ['delete a webhook']], { ends: 'tells' }),
  ...each([['delete the contact', { contact: 'Ada' }]], { ends: 'asks', says: /May I/ }),
  ...each([['delete the contact', { contact: 'Ada', confirmed: true }]], {
    ends: 'waits',
    says: /Tell the user/,
  }),
];

describe('a booking assistant', () => {
  converse(dialogues, BOOKING_SCOPES);
});
