import { expect, test, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import { updateContact } from '../../src/contacts/update-contact.ts';
import { createTask } from '../../src/tasks/create-task.ts';
import { handleReadEvents } from '../../src/workflows/triggers/read-events.ts';
import { type Delivering, startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, begin, contactIn, runsIn, WAIT, workflowOf } from './workflows.support.ts';

/** The runs that one start may cause. */
const CAUSED_MAX = 100;
const TOO_MANY = `workflows start each other too often: one run caused more than ${CAUSED_MAX} others`;

test('workflows that start each other stop at a depth, and the reason is stored', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const ping = (slug: string, hears: string, says: string) => ({
    slug,
    name: slug,
    reenter: true,
    triggers: [{ on: 'contact.tag_added', where: { tagName: hears } }],
    steps: [{ removeTag: says }, { addTag: says }],
  });
  await applyTo(service, sub, { workflows: [ping('ping', 'a', 'b'), ping('pong', 'b', 'a')] });
  await service.startWorker();
  const contact = await contactIn(service, sub);
  await service.transact(sub, OPERATOR, (work) => updateContact(work, contact, { tags: ['a'] }));
  await vi.waitFor(async () => {
    const runs = await runsIn(service, sub);
    expect(runs.map(({ status }) => status)).toEqual([
      'failed',
      ...Array.from({ length: 11 }, () => 'completed'),
    ]);
    expect(runs[0]?.error).toContain('in a loop');
  }, WAIT);
});

test('a workflow that starts itself several times stops after a number of runs per start', async () => {
  const TASKS = 4;
  const service = await startDelivering();
  const sub = await service.subAccount();
  const steps = Array.from({ length: TASKS }, () => ({ createTask: { title: 'Again' } }));
  const triggers = [{ on: 'task.created' }];
  await applyTo(service, sub, workflowOf(steps, { reenter: true, triggers }));
  await service.startWorker();
  const started = 1 + CAUSED_MAX;
  for (const starts of [1, 2]) {
    await service.transact(sub, OPERATOR, (work) => createTask(work, { title: 'First' }));
    await vi.waitFor(async () => {
      expect(await outcomesIn(service, sub)).toEqual({
        completed: starts * started,
        [`failed: ${TOO_MANY}`]: starts * (started * TASKS - CAUSED_MAX),
      });
    }, WAIT);
  }
  expect(await eventsIn(service, sub)).toEqual([
    { name: 'task.created', events: 2 * (1 + started * TASKS) },
  ]);
});

const outcomesIn = async (service: Delivering, sub: string) =>
  countsOf((await runsIn(service, sub)).map(({ status, error }) => outcomeOf(status, error)));

const outcomeOf = (status: string, error: string | null) =>
  error === null ? status : `${status}: ${error}`;

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const eventsIn = ({ database }: Delivering, sub: string) =>
  database.rows(
    `select name, count(*)::int as events from (
       select name from events where sub_account_id = $1
       union all select name from outbox where sub_account_id = $1
     ) as emitted group by name order by name`,
    [sub],
  );

/** A workflow that waits, the events that start it, and its reader. */
async function withReader(over: object = {}) {
  const service = await startDelivering();
  const { database } = service;
  const sub = await service.subAccount();
  const triggers = [{ on: 'form.submitted' }];
  await applyTo(service, sub, workflowOf([{ wait: { for: '1d' } }], { triggers, ...over }));
  let times = 0;
  /** Events that one run caused, in the same millisecond. */
  const cause = async (root: string | null, contactIds: readonly (string | null)[], depth = 1) => {
    const at = new Date(Date.UTC(2026, 0, 1) + (times += 1));
    const keys = [...new Set(contactIds)].map((id) => `form.submitted:${id ?? ''}:${at.getTime()}`);
    const effects = keys.map(() => newId(at));
    await database.rows(
      `insert into workflow_effects (sub_account_id, id, key, depth, root)
       select $1, effect.id, effect.key, $4, $5 from unnest($2::uuid[], $3::text[]) as effect (id, key)`,
      [sub, effects, keys, depth, root],
    );
    await database.rows(
      `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
       select $1, event.id, 'form.submitted', event.contact, '{}', $4
       from unnest($2::uuid[], $3::uuid[]) as event (id, contact)`,
      [sub, contactIds.map(() => newId(new Date())), contactIds, at],
    );
    await database.rows('select publish_events(10000)');
  };
  const warned: unknown[][] = [];
  const log = { ...service.log, warn: (...of: unknown[]) => warned.push(of) };
  const read = () =>
    handleReadEvents.handle({ subAccountId: sub }, {
      ...service,
      log,
      actor: OPERATOR,
      signal: new AbortController().signal,
    } as unknown as JobContext);
  return { service, sub, cause, read, warned, outcomes: () => outcomesIn(service, sub) };
}

/** Events without a contact. */
const without = (count: number): null[] => Array.from({ length: count }, () => null);

test('a page with more events of one run starts exactly as many runs as are left to it', async () => {
  const { service, sub, cause, read, warned, outcomes } = await withReader();
  const [first = '', second = ''] = await begin(service, sub, [null, null]);
  const own = 2;
  await cause(first, without(30));
  await read();
  expect(await outcomes()).toEqual({ running: own + 30 });

  // In one page: the rest of the first and one more, all of the second, and events from outside.
  await cause(first, without(71));
  await cause(second, without(99));
  await cause(null, without(20), 0);
  await read();
  const failed = `failed: ${TOO_MANY}`;
  expect(await outcomes()).toEqual({ running: own + 100 + 99 + 20, [failed]: 1 });
  const about = { workflow: 'flow', contactId: null, trigger: 'form.submitted', depth: 1 };
  expect(warned).toEqual([[{ ...about, root: first }, `workflow run not started: ${TOO_MANY}`]]);

  await cause(second, without(250));
  await cause(first, without(1));
  await read();
  expect(await outcomes()).toEqual({ running: own + 100 + 100 + 20, [failed]: 1 + 249 + 1 });
  expect(await eventsIn(service, sub)).toEqual([{ name: 'form.submitted', events: 471 }]);
});

test('events of a contact with an unfinished run count as one run of their chain', async () => {
  const { service, sub, cause, read, outcomes } = await withReader();
  const [root = ''] = await begin(service, sub, [null]);
  const busy = await contactIn(service, sub);
  const other = await contactIn(service, sub);
  await cause(
    root,
    Array.from({ length: 180 }, () => busy),
  );
  await read();
  expect(await outcomes()).toEqual({ running: 2 });
  await cause(root, [...Array.from({ length: 101 }, () => busy), ...without(98)]);
  await read();
  expect(await outcomes()).toEqual({ running: 1 + 99 });
  await cause(root, [busy, other, busy, null]);
  await read();
  expect(await outcomes()).toEqual({ running: 1 + 100, [`failed: ${TOO_MANY}`]: 1 });
});

test('runs that are too deep use up nothing of what their first run may cause', async () => {
  const { service, sub, cause, read, outcomes } = await withReader({ reenter: true });
  const [root = ''] = await begin(service, sub, [null]);
  await cause(root, without(120), 11);
  await cause(root, without(80), 10);
  await read();
  await cause(root, without(21), 10);
  await read();
  expect(await outcomes()).toEqual({
    running: 1 + 100,
    'failed: workflows start each other in a loop of more than 10 runs': 120,
    [`failed: ${TOO_MANY}`]: 1,
  });
});

test('effects without a first run, of an older release, count as no chain', async () => {
  const { cause, read, outcomes } = await withReader();
  await cause(null, without(150), 3);
  await read();
  expect(await outcomes()).toEqual({ running: 150 });
});
