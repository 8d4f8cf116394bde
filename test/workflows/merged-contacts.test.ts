import { expect, test, vi } from 'vitest';
import { mergeContacts } from '../../src/contacts/merge/merge-contacts.ts';
import { createTask } from '../../src/tasks/create-task.ts';
import { startDelivering, type Delivering } from '../support/deliveries.ts';
import { WAITING } from '../support/locks.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, begin, contactIn, runsIn, WAIT, workflowOf } from './workflows.support.ts';

const ROUNDS = 20;

/** Fires an event that a merge does not fire again for the kept contact. */
const AT_GOAL = workflowOf([{ goal: { event: 'task.created' } }, { addTag: 'reached' }]);

const addTask = ({ transact }: Delivering, sub: string, contactId: string) =>
  transact(sub, OPERATOR, (work) => createTask(work, { title: 'Call back', contactId }));

const merge = ({ transact }: Delivering, sub: string, kept: string, other: string) =>
  transact(sub, OPERATOR, (work) => mergeContacts(work, kept, other));

/** Waits until the sub-account has this number of runs, all with this status. */
const allAre = (service: Delivering, sub: string, status: string, count: number) =>
  vi.waitFor(async () => {
    const runs = await runsIn(service, sub, 'flow');
    expect(runs.map((run) => run.status)).toEqual(Array.from({ length: count }, () => status));
  }, WAIT);

/** How many statements of the database wait for a lock. */
const lockWaits = async ({ database }: Delivering): Promise<number> =>
  (await database.rows(WAITING)).length;

const namesOf = async ({ database }: Delivering, sub: string) =>
  (
    await database.rows<{ name: string }>(
      `select name from events where sub_account_id = $1
       union all select name from outbox where sub_account_id = $1`,
      [sub],
    )
  )
    .map(({ name }) => name)
    .sort();

test('an event about a contact that is merged before it is read reaches the run that moved', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, AT_GOAL);
  const [kept, other] = [await contactIn(service, sub), await contactIn(service, sub)];
  await begin(service, sub, [other]);
  const before = await service.startWorker();
  await allAre(service, sub, 'waiting', 1);
  await before.stop();
  await addTask(service, sub, other);
  await merge(service, sub, kept, other);
  await service.startWorker();
  await allAre(service, sub, 'completed', 1);
  expect((await runsIn(service, sub, 'flow'))[0]?.contactId).toBe(kept);
  expect(await namesOf(service, sub)).toEqual([
    'contact.created',
    'contact.created',
    'contact.tag_added',
    'contact.updated',
    'task.created',
  ]);
});

test('an event reaches the run at the end of a chain of merges, in any order', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, AT_GOAL);
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    ids.push(await contactIn(service, sub));
  }
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids;
  await begin(service, sub, [c, f]);
  const before = await service.startWorker();
  await allAre(service, sub, 'waiting', 2);
  await before.stop();
  await addTask(service, sub, c);
  await addTask(service, sub, f);
  await merge(service, sub, b, c);
  await merge(service, sub, a, b);
  await merge(service, sub, e, f);
  await merge(service, sub, d, e);
  await service.startWorker();
  await allAre(service, sub, 'completed', 2);
  const runs = await runsIn(service, sub, 'flow');
  expect(new Set(runs.map(({ contactId }) => contactId))).toEqual(new Set([a, d]));
});

test('a step that waits for the end of a merge is done for the kept contact', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, AT_GOAL);
  const [kept, other] = [await contactIn(service, sub), await contactIn(service, sub)];
  await begin(service, sub, [other]);
  await service.transact(sub, OPERATOR, async (work) => {
    await mergeContacts(work, kept, other);
    await work.em.flush();
    await service.startWorker();
    await vi.waitFor(async () => expect(await lockWaits(service)).toBeGreaterThan(0), WAIT);
  });
  await allAre(service, sub, 'waiting', 1);
  expect((await runsIn(service, sub, 'flow'))[0]).toMatchObject({ contactId: kept, error: null });
});

test('an event about a contact that is merged before it is read starts a run for the kept one', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const triggers = [{ on: 'contact.created', where: { firstName: 'Grace' } }];
  await applyTo(service, sub, workflowOf([{ addTag: 'welcome' }], { triggers }));
  const kept = await contactIn(service, sub);
  const other = await contactIn(service, sub, { firstName: 'Grace' });
  await merge(service, sub, kept, other);
  await service.startWorker();
  await allAre(service, sub, 'completed', 1);
  expect((await runsIn(service, sub, 'flow'))[0]?.contactId).toBe(kept);
});

test(`no event is lost to a merge at the same moment, ${ROUNDS} times`, async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, AT_GOAL);
  const pairs: (readonly [string, string])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    pairs.push([await contactIn(service, sub), await contactIn(service, sub)]);
  }
  await begin(
    service,
    sub,
    pairs.map(([, other]) => other),
  );
  await service.startWorker();
  await allAre(service, sub, 'waiting', ROUNDS);
  await Promise.all(
    pairs.map(async ([kept, other]) => {
      await addTask(service, sub, other);
      await merge(service, sub, kept, other);
    }),
  );
  await allAre(service, sub, 'completed', ROUNDS);
  const about = (await runsIn(service, sub, 'flow')).map(({ contactId }) => contactId);
  expect(new Set(about)).toEqual(new Set(pairs.map(([kept]) => kept)));
});
