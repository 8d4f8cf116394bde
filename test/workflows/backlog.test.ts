import type { Database } from '#platform/database/database.ts';
import { cancelRun } from '../../src/workflows/runs/cancel-runs.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { setUp } from './calls.support.ts';
import { applyTo, begin, workflowOf } from './workflows.support.ts';

/** The jobs of runs that a sub-account has in the queue at most. */
const MOST = 200;

const noContacts = (count: number) => Array.from({ length: count }, () => null);

const queuedIn = async ({ rows }: Database, subAccountId: string) => {
  const found = await rows<{ runId: string }>(
    `select payload ->> 'runId' as "runId" from graphile_worker._private_jobs
     where payload ->> 'subAccountId' = $1 and payload ->> 'runId' is not null order by 1`,
    [subAccountId],
  );
  return found.map(({ runId }) => runId);
};

const tick = ({ database }: { readonly database: Database }) =>
  database.rows('select wake_workflow_runs(now(), 1000)');

/** Ends the jobs of these runs, as a worker does. */
const endJobs = ({ database }: TestService, runIds: readonly string[]) =>
  database.rows(
    `delete from graphile_worker._private_jobs where payload ->> 'runId' = any($1::text[])`,
    [runIds],
  );

async function withWorkflow(service: TestService) {
  const { subAccountId: sub } = service;
  await applyTo(service, sub, workflowOf([{ end: true }], { slug: sub }));
  return {
    start: (count: number) => begin(service, sub, noContacts(count), sub),
    queued: () => queuedIn(service.database, sub),
  };
}

describe('the runs of a sub-account that are queued', () => {
  test('are all that start, if they are few', async ({ service }) => {
    const { start, queued } = await withWorkflow(service);
    const started = await start(3);
    expect(await queued()).toEqual(started);
  });

  test('are limited; the others follow in order as earlier ones end', async ({ service }) => {
    const { start, queued } = await withWorkflow(service);
    const first = await start(MOST + 100);
    expect(await queued()).toEqual(first.slice(0, MOST));
    await tick(service);
    expect(await queued()).toEqual(first.slice(0, MOST));
    await endJobs(service, first.slice(0, 50));
    const [later = ''] = await start(1);
    await tick(service);
    expect(await queued()).toEqual(first.slice(50, MOST + 50));
    await endJobs(service, first.slice(0, MOST + 50));
    await tick(service);
    expect(await queued()).toEqual([...first.slice(MOST + 50), later]);
  });

  test('are limited when many waits end together; others are not delayed', async ({ service }) => {
    const { subAccountId: sub, otherSubAccountId: other, database } = service;
    const { start, queued } = await withWorkflow(service);
    await applyTo(service, other, workflowOf([{ end: true }], { slug: other }));
    const runs = [...(await start(MOST + 300)), ...(await begin(service, other, [null], other))];
    await endJobs(service, runs);
    await database.rows(
      `update workflow_runs set status = 'waiting', backlogged_at = null,
         wake_at = now() - case when sub_account_id = $1 then interval '1 h' else '1 s' end
       where sub_account_id in ($1, $2)`,
      [sub, other],
    );
    await tick(service);
    expect(await queued()).toHaveLength(MOST);
    expect(await queuedIn(database, other)).toHaveLength(1);
  });

  test('do not include runs of calls once there is no room', async ({ service }) => {
    const { post } = await setUp(service);
    const { start, queued } = await withWorkflow(service);
    const earlier = await start(MOST);
    const { body } = await post('workflow', { email: 'ada@example.com' });
    expect(body).toEqual({ ok: true, triggered: 1 });
    expect(await queued()).toEqual(earlier);
    await endJobs(service, earlier);
    await tick(service);
    expect(await queued()).toHaveLength(1);
  });

  test('leave room if their jobs failed and are retried later', async ({ service }) => {
    const { start, queued } = await withWorkflow(service);
    const failed = await start(MOST);
    await service.database.rows(
      `update graphile_worker._private_jobs set attempts = 1, run_at = now() + interval '1 h'
       where payload ->> 'subAccountId' = $1`,
      [service.subAccountId],
    );
    const later = await start(2);
    expect(await queued()).toEqual([...failed, ...later]);
  });

  test('do not include runs that were cancelled meanwhile', async ({ service }) => {
    const { start, queued } = await withWorkflow(service);
    const runs = await start(MOST + 2);
    const [cancelled = '', last] = runs.slice(MOST);
    await service.transact(service.subAccountId, OPERATOR, (work) => cancelRun(work, cancelled));
    await endJobs(service, runs);
    await tick(service);
    expect(await queued()).toEqual([last]);
  });

  test('are not queued by two processes at the same time', async ({ service }) => {
    const { start, queued } = await withWorkflow(service);
    const runs = await start(MOST + 100);
    await endJobs(service, runs);
    const client = await service.database.pool.connect();
    await client.query('begin');
    await client.query('select wake_workflow_runs(now(), 1000)');
    await tick(service);
    expect(await queued()).toEqual([]);
    await client.query('commit');
    client.release();
    expect(await queued()).toEqual(runs.slice(MOST));
  });
});
