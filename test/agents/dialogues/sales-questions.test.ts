import { describe } from '../../support/service.ts';
import { SALES_SCOPES } from './roles.ts';
import { converseReading, cross, each, type Dialogue } from './dialogue.support.ts';

const PEOPLE = ['Ada', 'Ben Krause', 'grace@example.com', 'Stone'];
const GARAGE = { name: 'Garage', pipeline: 'Sales' };

/** What a sales assistant reads, tries, and what it must not do. Nothing changes. */
const dialogues: readonly Dialogue[] = [
  ...each(
    cross(
      ['list the deals', 'list all deals', 'list opportunities', 'list our deals'],
      [{}, { status: 'open' }, { pipeline: 'Sales' }, { stage: 'New' }],
    ),
    { ends: 'done', says: /2 rows/ },
  ),
  ...each(
    cross(
      ['list the deals', 'list deals by contact or words'],
      [{ search: 'roof' }, { search: 'BRIDGE' }, { contact: 'Ada' }, { contact: 'Krause' }],
    ),
    { ends: 'done', says: /1 row/ },
  ),
  ...each(
    cross(
      ['list the deals', 'list opportunities'],
      [
        { status: 'won' },
        { status: 'lost' },
        { stage: 'Offer' },
        { search: 'tunnel' },
        { contact: 'Grace' },
        { tags: 'cold' },
      ],
    ),
    { ends: 'done', says: /0 rows/ },
  ),
  ...each(
    cross(
      ['list the deals'],
      [{ status: 'finished' }, { pipeline: 'Rentals' }, { contact: 'Nemo' }, { stage: 'Signed' }],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['create a deal', 'create an opportunity'],
      PEOPLE.map((contact) => ({ ...GARAGE, contact, value: 900, 'dry run': true })),
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(
    cross(
      ['create a deal'],
      [
        { ...GARAGE, contact: 'Nemo' },
        { ...GARAGE, contact: 'Ada', pipeline: 'Rentals' },
        { ...GARAGE, contact: 'Ada', value: 'much' },
        { ...GARAGE, contact: 'Ada', currency: 'Euros' },
        { ...GARAGE, contact: 'Ada', stage: 'Signed' },
        { ...GARAGE, contact: 'Ada', 'expected close date': 'soon' },
        { pipeline: 'Sales', contact: 'Ada' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['change the deal'],
      [
        { deal: 'Roof', value: 900, 'dry run': true },
        { deal: 'Bridge', stage: 'Offer', 'dry run': true },
        { deal: 'Roof', status: 'won', 'dry run': true },
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(
    cross(
      ['change the deal'],
      [
        { deal: 'Tunnel', value: 1 },
        { deal: 'Harbour', status: 'won' },
        { deal: 'Bridge', stage: 'Signed' },
        { deal: 'Bridge', status: 'finished' },
        { deal: 'Roof', value: 'double' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(cross(['list the tasks', 'list all tasks'], [{}, { status: 'todo' }]), {
    ends: 'done',
    says: /2 rows/,
  }),
  ...each(cross(['list the tasks'], [{ contact: 'Ada' }]), { ends: 'done', says: /1 row/ }),
  ...each(cross(['list the tasks'], [{ status: 'completed' }, { contact: 'Grace' }]), {
    ends: 'done',
    says: /0 rows/,
  }),
  ...each(
    cross(
      ['create a task'],
      [
        { title: 'x', priority: 'huge' },
        { title: 'x', 'due date': 'tomorrow' },
        { title: 'x', contact: 'Nemo' },
        { priority: 'high' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['create a task'],
      [
        { title: 'Call back', 'dry run': true },
        { title: 'Call back', contact: 'Ben', 'dry run': true },
        { title: 'Offer', deal: 'Roof', 'dry run': true },
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each(
    cross(
      ['change the task'],
      [
        { task: 'curtains', title: 'x' },
        { task: 'gloves', status: 'old' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['find a contact', 'search contacts'],
      [
        { search: 'ada' },
        { search: 'Krause' },
        { search: 'Hopper' },
        { email: 'sam@example.com' },
        { email: 'ADA@example.com' },
        { tags: 'vip' },
      ],
    ),
    { ends: 'done', says: /1 row/, calls: 1 },
  ),
  ...each(
    cross(['find a contact'], [{ search: 'zzz' }, { email: 'no@one.example' }, { tags: 'gold' }]),
    { ends: 'done', says: /0 rows/, calls: 1 },
  ),
  ...each(
    cross(
      ['get everything about the contact', 'return everything known about the contact'],
      PEOPLE.map((contact) => ({ contact })),
    ),
    { ends: 'done', calls: 2 },
  ),
  ...each(
    cross(
      ['save the contact'],
      [
        { contact: 'Ada', 'lifecycle stage': 'friend' },
        { contact: 'Ada', email: 'ben@example.com' },
        { contact: 'Nemo', company: 'Nautilus' },
        { contact: 'Ben', phone: '12' },
      ],
    ),
    { ends: 'asks' },
  ),
  ...each(
    cross(
      ['save the contact'],
      [
        { contact: 'Ada', company: 'Analytical Ltd', 'dry run': true },
        { contact: 'Ben', tags: 'hot', 'dry run': true },
      ],
    ),
    { ends: 'done', says: /^Dry run/ },
  ),
  ...each([['list pipelines'], ['list the pipelines'], ['list the custom fields']], {
    ends: 'done',
    calls: 2,
  }),
  // Without the user's word nothing is destroyed.
  ...each(
    [
      ['delete the contact', { contact: 'Ben' }],
      ['delete the opportunity', { deal: 'Bridge' }],
      ['delete the task', { task: 'brochure' }],
      ['merge contacts', { contact: 'Ada' }],
    ],
    { ends: 'asks', says: /May I/ },
  ),
  // What the key may not do.
  ...each(
    [
      ['list the conversations'],
      ['send a message', { contact: 'Ada', 'body text': 'Hello' }],
      ['book an appointment', { contact: 'Ada' }],
      ['find free times'],
      ['create a webhook'],
      ['list the campaigns'],
      ['pause the campaign'],
      ['list services and prices'],
    ],
    { ends: 'tells' },
  ),
];

describe('what a sales assistant is asked', () => {
  converseReading(dialogues, SALES_SCOPES);
});
