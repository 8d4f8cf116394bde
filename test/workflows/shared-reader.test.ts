import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import type { Transact } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { handleReadEvents } from '../../src/workflows/triggers/read-events.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, runsIn, workflowOf } from './workflows.support.ts';

const PAGE = 200;
const MINUTE_MS = 60_000;

async function withReader() {
  const service = await startDelivering();
  const { database } = service;
  const sub = await service.subAccount();
  const triggers = [{ on: 'form.submitted' }];
  await applyTo(service, sub, workflowOf([{ wait: { for: '1d' } }], { triggers }));
  const happen = async (events: number) => {
    await database.rows(
      `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
       select $1, id, 'form.submitted', null, '{}', now() from unnest($2::uuid[]) as id`,
      [sub, Array.from({ length: events }, () => newId(new Date()))],
    );
    await database.rows('select publish_events(1000)');
    await database.rows('delete from graphile_worker._private_jobs');
  };
  const read = (over: Partial<JobContext> = {}) =>
    handleReadEvents.handle({ subAccountId: sub }, {
      ...service,
      actor: OPERATOR,
      signal: new AbortController().signal,
      ...over,
    } as unknown as JobContext);
  const runs = async () => (await runsIn(service, sub)).length;
  /** Whether the reading job of the sub-account is queued: for now, or for a later time. */
  const queued = async () => {
    const jobs = await database.rows<{ isDue: boolean }>(
      `select run_at <= now() as "isDue" from graphile_worker.jobs where key = $1`,
      [`workflows/read-events:${sub}`],
    );
    return jobs.map(({ isDue }) => (isDue ? 'now' : 'later'));
  };
  return { service, sub, happen, read, runs, queued };
}

test('a job that finds its reader busy ends, and is queued for later', async () => {
  const { service, sub, happen, read, runs, queued } = await withReader();
  await happen(1);
  await service.transact(sub, OPERATOR, async (work) => {
    await work.rows('select from workflow_readers where sub_account_id = $1 for update', [sub]);
    await read();
  });
  expect(await runs()).toBe(0);
  expect(await queued()).toEqual(['later']);
  await read();
  expect(await runs()).toBe(1);
});

test('events that are published while the last page is read are read by the same job', async () => {
  const { service, happen, read, runs } = await withReader();
  await happen(1);
  let isFirst = true;
  const transact: Transact = (sub, actor, change, conclude) =>
    service.transact(
      sub,
      actor,
      async (work) => {
        const result = await change(work);
        if (isFirst) {
          isFirst = false;
          await happen(1);
          await read();
        }
        return result;
      },
      conclude,
    );
  await read({ transact });
  expect(await runs()).toBe(2);
});

test('a job reads for one time slice, and is then queued again', async () => {
  const { service, happen, read, runs, queued } = await withReader();
  await happen(3 * PAGE);
  let now = Date.now();
  const transact: Transact = (...given) => {
    now += MINUTE_MS;
    return service.transact(...given);
  };
  for (const pages of [1, 2, 3]) {
    await read({ transact, clock: () => new Date(now) });
    expect([await runs(), await queued()]).toEqual([pages * PAGE, ['now']]);
  }
  await read({ transact, clock: () => new Date(now) });
  expect(await runs()).toBe(3 * PAGE);
});

test('a sub-account without workflows queues no further job', async () => {
  const { service, read, queued } = await withReader();
  await service.database.rows('delete from workflow_readers');
  await read();
  expect(await queued()).toEqual([]);
});
