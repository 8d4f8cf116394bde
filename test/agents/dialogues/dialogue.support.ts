import type { AgentPolicy } from '../../../src/core/agent.ts';
import type { Scope } from '#core/scope.ts';
import { at, CHECKUP, ANNA, BEN, dayFromNow } from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { SALES } from '../../support/pipelines.ts';
import { expect, test, type TestService } from '../../support/service.ts';
import { connectAgent, issueKey } from '../agents.support.ts';
import { openModel } from './model.ts';
import type { Ended, Said } from './reading.ts';

/** A conversation with a user: what they say, and how it ends. */
export interface Dialogue {
  readonly steps: readonly Said[];
  readonly ends: Ended['how'];
  /** The events that fire, and no others. */
  readonly fires?: readonly string[];
  /** What the last answer must contain. */
  readonly says?: RegExp;
  /** The tools that the last step may call, at most. */
  readonly calls?: number;
  readonly policy?: Partial<AgentPolicy>;
  readonly scopes?: readonly Scope[];
  readonly rateWrite?: string;
}

export const say = (task: string, facts: Said['facts'] = {}): Said => ({ task, facts });

/** Returns every task with every one of the facts. */
export const cross = (
  tasks: readonly string[],
  facts: readonly Said['facts'][],
): (readonly [string, Said['facts']])[] =>
  tasks.flatMap((task) => facts.map((one) => [task, one] as const));

/** Returns a dialogue of one step per row of facts. */
export const each = (
  rows: readonly (readonly [string, Said['facts']?])[],
  rest: Omit<Dialogue, 'steps'>,
): Dialogue[] => rows.map(([task, facts]) => ({ steps: [say(task, facts)], ...rest }));

const PEOPLE = [
  { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '+442079460001' },
  { firstName: 'Ben', lastName: 'Krause', email: 'ben@example.com', phone: '+442079460002' },
  { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', tags: ['vip'] },
  { firstName: 'Sam', lastName: 'Stone', email: 'sam@example.com', dnd: { all: true } },
];

/** A business: people, a calendar with two booked times, conversations, prices and a pipeline. */
async function furnish(service: TestService): Promise<void> {
  const { ids } = await apply(service, {
    team: [ANNA, BEN],
    calendars: [
      {
        ...CHECKUP,
        types: [
          ...CHECKUP.types,
          { key: 'cleaning-60', name: 'Cleaning', slug: 'cleaning', duration: 60 },
        ],
      },
    ],
    pipelines: [SALES],
    serviceTypes: [
      { key: 'filling', name: 'Filling', price: 120 },
      { key: 'crown', name: 'Crown', price: 900 },
    ],
  });
  const post = async (path: string, body: object) => {
    const answer = await service.call(`POST /api/v1/${path}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const people: any[] = [];
  for (const person of PEOPLE) {
    people.push(await post('contacts', person));
  }
  const [ada, ben] = people;
  const appointmentTypeId = ids['appointmentTypes']?.['checkup-30'];
  for (const [contact, time] of [
    [ada, '09:00'],
    [ben, '12:00'],
  ] as const) {
    const startTime = at(service, 2, time);
    const slot = { appointmentTypeId, startTime, endTime: startTime + 1_800_000 };
    await post('calendars/appointments', { ...slot, contactId: contact.id });
  }
  for (const contact of people) {
    const opened = await post('conversations', { contactId: contact.id, channel: 'live_chat' });
    await service.database.rows(
      `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text, status, created_at)
       values ($1, gen_random_uuid(), $2, 'live_chat', 'inbound', 'When are you open?', 'delivered', $3)`,
      [service.subAccountId, opened.id, service.clock()],
    );
  }
  const pipelineId = ids['pipelines']?.['sales'];
  for (const [name, contact] of [
    ['Roof', ada],
    ['Bridge', ben],
  ] as const) {
    await post('opportunities', { name, pipelineId, contactId: contact.id, value: 500 });
  }
  await post('tasks', { title: 'Send brochure', contactId: ada.id });
  await post('tasks', { title: 'Order gloves' });
  await service.events();
}

/** Replaces `@2` by the date in two days, and `@2T10:00` by that moment. */
const dated = (service: TestService, value: unknown): unknown => {
  const [, days = '', time] = /^@(\d+)(?:T(.+))?$/.exec(String(value)) ?? [];
  if (days === '') {
    return value;
  }
  const day = dayFromNow(service, Number(days));
  return time === undefined ? day : `${day}T${time}:00Z`;
};

async function play(service: TestService, dialogue: Dialogue, scopes: readonly Scope[]) {
  const { steps, policy, rateWrite } = dialogue;
  const { key } = await issueKey(service, {
    scopes: dialogue.scopes ?? scopes,
    ...(policy && { agentPolicy: policy }),
    ...(rateWrite !== undefined && { rateWrite }),
  });
  const { client, call } = await connectAgent(service.url, key);
  const { tools } = await client.listTools();
  const model = openModel({ tools, call });
  let ended: Ended | undefined;
  for (const { task, facts = {} } of steps) {
    const given = Object.entries(facts).map(([name, value]) => [name, dated(service, value)]);
    ended = await model.hear({ task, facts: Object.fromEntries(given) });
  }
  return ended!;
}

/** Runs dialogues of a role, each in a new sub-account; those that end with a refusal share one. */
export function converse(dialogues: readonly Dialogue[], scopes: readonly Scope[]): void {
  const isRefused = ({ steps, ends }: Dialogue) =>
    steps.length === 1 && (ends === 'asks' || ends === 'tells');
  converseReading(dialogues.filter(isRefused), scopes);
  const changing = dialogues.filter((dialogue) => !isRefused(dialogue));
  test.for(titled(changing))('%s', async ([, dialogue], { service }) => {
    await furnish(service);
    await expectEnd(service, dialogue, scopes);
  });
}

/** Runs dialogues of a role that change nothing, all in one sub-account. */
export function converseReading(dialogues: readonly Dialogue[], scopes: readonly Scope[]): void {
  let furnished: Promise<void> | undefined;
  test.for(titled(dialogues))('%s', async ([, dialogue], { shared }) => {
    await (furnished ??= furnish(shared));
    await expectEnd(shared, dialogue, scopes);
  });
}

const titled = (dialogues: readonly Dialogue[]) =>
  dialogues.map((dialogue, number) => {
    const last = dialogue.steps.at(-1)!;
    return [`${number + 1}. ${last.task} ${JSON.stringify(last.facts)}`, dialogue] as const;
  });

async function expectEnd(service: TestService, dialogue: Dialogue, scopes: readonly Scope[]) {
  const ended = await play(service, dialogue, scopes);
  const { ends, fires = [], says = /./, calls = 8 } = dialogue;
  expect(ended.how, `${ended.text}\n${ended.calls.join(', ')}`).toBe(ends);
  expect(ended.text).toMatch(says);
  expect(ended.calls.length).toBeLessThanOrEqual(calls);
  expect(await service.eventNames()).toEqual(fires);
}
