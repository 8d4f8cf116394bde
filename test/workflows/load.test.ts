import { expect, inject, test, vi } from 'vitest';
import { startDelivering, type Delivering } from '../support/deliveries.ts';
import { applyTo, begin, WAIT, workflowOf } from './workflows.support.ts';

const WAITING = 10_000;
const DUE = 1_000;
/** More than one sub-account has in the queue. */
const TOGETHER = 250;
const PAGES_AT_MOST = 8;

const noContacts = (count: number) => Array.from({ length: count }, () => null);

/** Writes waiting runs as a worker would leave them. */
async function letWait({ database }: Delivering, within: string): Promise<void> {
  await database.rows('delete from graphile_worker._private_jobs');
  await database.rows(
    `update workflow_runs set status = 'waiting', due_at = now() + $1::interval,
       wake_at = now() + $1::interval, backlogged_at = null where status = 'running'`,
    [within],
  );
}

/** The pages that are read to find the due runs; undefined on a cluster, which does not say. */
async function pagesOfDue({ database }: Delivering): Promise<number | undefined> {
  if (inject('nodeUrls').length > 0) {
    return undefined;
  }
  const { rows } = await database.pool.query(
    `explain (analyze, buffers, format json) select id from workflow_runs
     where wake_at <= now() order by wake_at limit 1000 for update skip locked`,
  );
  const { Plan: plan } = rows[0]['QUERY PLAN'][0];
  expect(plan['Actual Rows']).toBe(0);
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

test('10,000 waiting runs cost nothing, and 1,000 that are due in the same second all continue', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ wait: { for: '30d' } }, { end: true }]));
  await begin(service, sub, noContacts(WAITING));
  await letWait(service, '30 days');
  await service.database.pool.query('vacuum analyze workflow_runs');

  const pages = await pagesOfDue(service);
  expect(pages ?? 0).toBeLessThanOrEqual(PAGES_AT_MOST);
  const [{ jobs } = { jobs: -1 }] = await service.database.rows<{ jobs: number }>(
    'select count(*) as jobs from graphile_worker._private_jobs',
  );
  expect(jobs).toBe(0);

  await begin(service, sub, noContacts(DUE));
  await letWait(service, '2 seconds');
  await service.startWorker();
  await vi.waitFor(async () => {
    const rows = await service.database.rows(
      'select status, count(*) as runs from workflow_runs group by 1 order by 1',
    );
    expect(rows).toEqual([
      { status: 'completed', runs: DUE },
      { status: 'waiting', runs: WAITING },
    ]);
  }, WAIT);
});

test('all runs complete that start together, however many', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ end: true }]));
  await begin(service, sub, noContacts(TOGETHER));
  await service.startWorker();
  await vi.waitFor(async () => {
    const rows = await service.database.rows(
      'select status, count(*) as runs from workflow_runs group by 1',
    );
    expect(rows).toEqual([{ status: 'completed', runs: TOGETHER }]);
  }, WAIT);
});
