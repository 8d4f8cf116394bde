import { describe } from '../../support/service.ts';
import { SALES_SCOPES } from './roles.ts';
import { converse, each, say, type Dialogue } from './dialogue.support.ts';

const PEOPLE = ['Ada Byron', 'Ben Krause', 'Grace Hopper', 'sam@example.com'];
const deal = (name: string, more: object = {}) => ({ deal: name, ...more });

const dialogues: readonly Dialogue[] = [
  ...each(
    [
      ['list the deals'],
      ['list the open deals'],
      ['list the deals', { pipeline: 'Sales' }],
      ['list deals in a stage', { stage: 'New' }],
    ],
    { ends: 'done', says: /2 rows/ },
  ),
  ...each(
    [
      ['list the deals', { search: 'roof' }],
      ['list the deals', { contact: 'Ada' }],
      ['list the deals', { contact: 'ben@example.com' }],
    ],
    { ends: 'done', says: /1 row/ },
  ),
  ...each(
    [
      ['list the won deals'],
      ['list the lost deals'],
      ['list deals in a stage', { stage: 'Offer' }],
    ],
    {
      ends: 'done',
      says: /0 rows/,
    },
  ),
  ...each(
    PEOPLE.flatMap((contact) => [
      ['create a deal', { name: 'Garage', contact, pipeline: 'Sales', value: 1200 }] as const,
      ['create a deal', { name: 'Garage', contact, pipeline: 'Sales', stage: 'Offer' }] as const,
    ]),
    { ends: 'done', fires: ['opportunity.created'] },
  ),
  ...each(
    [
      ['create a deal', { name: 'Garage', contact: 'Ada', pipeline: 'Rentals' }],
      ['create a deal', { name: 'Garage', contact: 'Nemo', pipeline: 'Sales' }],
      ['create a deal', { contact: 'Ada', pipeline: 'Sales' }],
      ['create a deal', { name: 'Garage', contact: 'Ada' }],
      ['create a deal', { name: 'Garage', contact: 'Ada', pipeline: 'Sales', value: 'a lot' }],
      ['create a deal', { name: 'Garage', contact: 'Ada', pipeline: 'Sales', stage: 'Signed' }],
    ],
    { ends: 'asks' },
  ),
  ...each(
    ['Roof', 'Bridge'].map((name) => ['change the deal', deal(name, { stage: 'Offer' })] as const),
    { ends: 'done', fires: ['opportunity.stage_changed'] },
  ),
  ...each(
    ['Roof', 'Bridge'].map((name) => ['change the deal: won', deal(name)] as const),
    { ends: 'done', fires: ['opportunity.updated'] },
  ),
  ...each(
    [
      ['change the deal: lost', deal('Roof', { 'lost reason': 'too expensive' })],
      ['change the deal: lost', deal('Bridge')],
    ],
    { ends: 'done', fires: ['opportunity.updated'] },
  ),
  ...each(
    [
      ['change the deal', deal('Roof', { value: 900 })],
      ['change the deal', deal('Bridge', { name: 'Long bridge' })],
      ['change the deal', deal('Roof', { tags: 'hot' })],
      ['change the deal', deal('Roof', { 'expected close date': '@30T12:00' })],
    ],
    { ends: 'done', fires: ['opportunity.updated'] },
  ),
  ...each(
    [
      ['change the deal', deal('Tunnel', { value: 1 })],
      ['change the deal', deal('Roof', { status: 'finished' })],
      ['change the deal', deal('Roof', { stage: 'Signed' })],
      ['change the deal', deal('Roof', { currency: 'Euro' })],
    ],
    { ends: 'asks' },
  ),
  ...each(
    [['list the tasks', { contact: 'Ada' }], ['list the tasks: todo'], ['list tasks of the team']],
    { ends: 'done', says: /\d rows?/ },
  ),
  ...each(
    PEOPLE.map((contact) => ['create a task', { title: 'Follow up', contact }] as const),
    { ends: 'done', fires: ['task.created'] },
  ),
  ...each(
    [
      ['create a task', { title: 'Offer', deal: 'Roof' }],
      ['create a task', { title: 'Offer', 'due date': '@1T10:00', priority: 'high' }],
    ],
    { ends: 'done', fires: ['task.created'] },
  ),
  ...each(
    [
      ['change the task: completed', { task: 'brochure' }],
      ['change the task: completed', { task: 'gloves' }],
    ],
    { ends: 'done', fires: ['task.updated', 'task.completed'] },
  ),
  ...each(
    [
      ['change the task', { task: 'gloves', priority: 'high' }],
      ['change the task', { task: 'brochure', title: 'Send two brochures' }],
      ['change the task: cancelled', { task: 'brochure' }],
    ],
    { ends: 'done', fires: ['task.updated'] },
  ),
  ...each(
    [
      ['create a task', { title: 'x', priority: 'huge' }],
      ['create a task', { title: 'x', 'due date': 'tomorrow' }],
      ['change the task', { task: 'curtains', priority: 'high' }],
    ],
    { ends: 'asks' },
  ),
  ...each(
    [
      ['find a contact', { search: 'ada' }],
      ['find a contact', { email: 'grace@example.com' }],
      ['find a contact', { tags: 'vip' }],
    ],
    { ends: 'done', says: /1 row/, calls: 1 },
  ),
  ...each([['find a contact', { search: 'zzz' }]], { ends: 'done', says: /0 rows/, calls: 1 }),
  ...each(
    PEOPLE.map((contact) => ['get everything about the contact', { contact }] as const),
    { ends: 'done', calls: 2 },
  ),
  ...each(
    [
      ['save the contact', { contact: 'Ada', company: 'Analytical Ltd' }],
      ['save the contact', { contact: 'Ben', source: 'fair' }],
    ],
    { ends: 'done', fires: ['contact.updated'] },
  ),
  ...each([['save the contact', { contact: 'Ada', 'lifecycle stage': 'customer' }]], {
    ends: 'done',
    fires: ['contact.updated', 'contact.lifecycle_changed'],
  }),
  ...each([['save the contact', { contact: 'Ada', 'lifecycle stage': 'friend' }]], {
    ends: 'asks',
    says: /lead/,
  }),
  ...each([['save the contact', { contact: 'Ada', email: 'ben@example.com' }]], { ends: 'asks' }),
  // Actions beyond the tools.
  ...each([['list pipelines'], ['list the custom fields']], { ends: 'done', calls: 2 }),
  ...each(
    [
      ['delete the contact', { contact: 'Ada' }],
      ['delete the opportunity', { deal: 'Roof' }],
    ],
    {
      ends: 'asks',
      says: /May I/,
    },
  ),
  ...each(
    [
      ['delete the contact', { contact: 'Ada', confirmed: true }],
      ['delete the opportunity', { deal: 'Roof', confirmed: true }],
      ['delete the deal', { deal: 'Roof', confirmed: true }],
      ['delete the task', { task: 'gloves', confirmed: true }],
    ],
    { ends: 'waits', says: /person must approve/ },
  ),
  ...each([['delete the task', { task: 'gloves', confirmed: true }]], {
    ends: 'tells',
    policy: { destroys: 'deny' },
  }),
  ...each([['send the campaign'], ['create a webhook'], ['regenerate the secret']], {
    ends: 'tells',
  }),
  {
    steps: [
      say('create a deal', { name: 'Garage', contact: 'Grace', pipeline: 'Sales' }),
      say('change the deal: won', { deal: 'Garage' }),
      say('create a task', { title: 'Thank Grace', contact: 'Grace' }),
    ],
    ends: 'done',
    fires: ['opportunity.created', 'opportunity.updated', 'task.created'],
  },
];

describe('a sales assistant', () => {
  converse(dialogues, SALES_SCOPES);
});
