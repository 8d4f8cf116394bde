import { describe } from '../../support/service.ts';
import { BOOKING_SCOPES } from './roles.ts';
import { converseReading, cross, each, type Dialogue } from './dialogue.support.ts';

const TYPES = ['Check-up', 'Cleaning'];
const CHECKUP = { 'appointment type': 'Check-up', date: '@2' };
const NEW_CUSTOMER = { 'first name': 'Iris', 'last name': 'Moss', email: 'iris@example.com' };
const PEOPLE = ['Ada', 'Ben Krause', 'grace@example.com', 'Stone'];

const onDays = (days: readonly object[]) =>
  TYPES.flatMap((type) => days.map((day) => ({ 'appointment type': type, ...day })));

/** What customers and colleagues ask, and wishes that cannot be met. Nothing changes. */
const dialogues: readonly Dialogue[] = [
  ...each(
    cross(
      ['list free times', 'find a free time', 'find the times', 'list the times that are free'],
      onDays([{ date: '@1' }, { date: '@3' }, { date: '@4' }, { date: '@6' }]),
    ),
    { ends: 'done', says: /\d+ rows/, calls: 2 },
  ),
  ...each(
    cross(
      ['find free times from one date to another', 'list free times'],
      onDays([
        { date: '@1', 'end date': '@3' },
        { date: '@5', 'end date': '@11' },
      ]),
    ),
    { ends: 'done', says: /\d+ rows/, calls: 2 },
  ),
  ...each(
    cross(
      ['find free times'],
      [
        { 'appointment type': 'Surgery', date: '@2' },
        { 'appointment type': 'Massage', date: '@3' },
      ],
    ),
    { ends: 'asks', says: /find no appointment type/ },
  ),
  ...each(
    cross(
      ['find free times'],
      [
        { 'appointment type': 'Check-up', date: 'tomorrow' },
        { 'appointment type': 'Check-up', date: '2026-02-30' },
        { 'appointment type': 'Check-up', date: '@5', 'end date': '@2' },
      ],
    ),
    { ends: 'asks', says: /date/i },
  ),
  ...each([['list the types'], ['list the types that can be booked'], ['find the types']], {
    ends: 'done',
    says: /2 rows/,
    calls: 1,
  }),
  ...each(
    cross(
      ['list appointments', 'list the scheduled appointments', 'list all the appointments'],
      [{ 'start date': '@2T00:00', 'end date': '@2T23:59' }, { 'start date': '@1T00:00' }],
    ),
    { ends: 'done', says: /2 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['list appointments', 'list the appointments of all customers'],
      [{ 'start date': '@3T00:00' }, { 'end date': '@1T00:00' }, { status: 'no_show' }],
    ),
    { ends: 'done', says: /0 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['find a contact', 'search contacts'],
      [
        { search: 'byron' },
        { search: 'Ada Byron' },
        { search: 'HOPP' },
        { email: 'ben@example.com' },
        { email: 'GRACE@example.com' },
        { tags: 'vip' },
      ],
    ),
    { ends: 'done', says: /1 row/, calls: 1 },
  ),
  ...each(
    cross(
      ['find a contact'],
      [{ search: 'zzz' }, { email: 'no@one.example' }, { tags: 'gold' }, { search: 'Ada Hopper' }],
    ),
    { ends: 'done', says: /0 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['return everything known about the contact'],
      PEOPLE.map((contact) => ({ contact })),
    ),
    { ends: 'done', calls: 2 },
  ),
  // A time that is taken, or that the calendar does not offer.
  ...each(
    cross(
      ['book an appointment'],
      PEOPLE.flatMap((contact) => [
        { ...CHECKUP, contact, 'start time': '@2T09:00', 'end time': '@2T09:30' },
        { ...CHECKUP, contact, 'start time': '@2T12:00', 'end time': '@2T12:30' },
      ]),
    ),
    { ends: 'asks', says: /Offer the times/ },
  ),
  ...each(
    cross(
      ['book an appointment'],
      [
        { ...CHECKUP, contact: 'Ada', 'start time': '@2T10:00', 'end time': '@2T11:00' },
        { ...CHECKUP, contact: 'Ada', 'start time': '@2T10:07', 'end time': '@2T10:37' },
        { ...CHECKUP, contact: 'Ada', 'start time': 'at ten', 'end time': 'soon after' },
        { ...CHECKUP, ...NEW_CUSTOMER, email: 'iris at example.com', time: '10:00' },
        { ...CHECKUP, contact: 'Ada Unknown', time: '10:00' },
        { ...CHECKUP, contact: 'zzz', time: '10:00' },
        { ...CHECKUP, 'appointment type': 'Whitening', contact: 'Ben', time: '10:00' },
        { contact: 'Ben', time: '10:00' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['book an appointment', 'book an appointment for a customer'],
      PEOPLE.map((contact) => ({ ...CHECKUP, contact, time: '14:30', 'dry run': true })),
    ),
    { ends: 'done', says: /^Dry run, nothing was changed/ },
  ),
  ...each(
    cross(
      ['move the appointment'],
      [
        { appointment: 'Ada', ...CHECKUP, time: '17:00', 'dry run': true },
        { appointment: 'Ben', ...CHECKUP, time: '08:00', 'dry run': true },
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(
    cross(
      ['cancel the appointment'],
      [
        { appointment: 'Ada', 'dry run': true },
        { appointment: 'Ben', reason: 'is ill', 'dry run': true },
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(
    cross(
      ['cancel the appointment', 'move the appointment'],
      [
        { appointment: 'Stone', ...CHECKUP, time: '10:00' },
        { appointment: 'Nemo', ...CHECKUP, time: '10:00' },
      ],
    ),
    { ends: 'asks', says: /find no appointment/ },
  ),
  // What the key may not do.
  ...each(
    [
      ['list the conversations'],
      ['read a conversation', { conversation: 'Ada' }],
      ['send a message', { contact: 'Ada', 'body text': 'Hello' }],
      ['list the tasks'],
      ['save a deal', { name: 'Roof' }],
      ['create a pipeline'],
      ['pause the campaign'],
      ['send the campaign to a list'],
      ['list services and prices'],
      ['list the webhooks'],
    ],
    { ends: 'tells' },
  ),
];

describe('what a booking assistant is asked', () => {
  converseReading(dialogues, BOOKING_SCOPES);
});
