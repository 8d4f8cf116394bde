import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDelivering } from '../support/deliveries.ts';
import {
  applyTo,
  begin,
  contactIn,
  runsIn,
  runThatIs,
  WAIT,
  workflowOf,
} from './workflows.support.ts';

/** More than the service has connections. */
const RUNS = 30;

/** The jobs that run, and the connections that wait for the contact. */
const STATE = `select
  (select count(*)::int from graphile_worker._private_jobs where locked_at is not null) as running,
  (select count(*)::int from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock') as waiting`;

test('runs of a sub-account that all wait for the database delay no run of another', async () => {
  const service = await startDelivering();
  const [busy, other] = [await service.subAccount(), await service.subAccount()];
  for (const sub of [busy, other]) {
    await applyTo(service, sub, workflowOf([{ addTag: 'a' }], { reenter: true }));
  }
  const contactId = await contactIn(service, busy);
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query('select id from contacts where id = $1 for no key update', [contactId]);
  await begin(
    service,
    busy,
    Array.from({ length: RUNS }, () => contactId),
  );
  await service.startWorker();
  const [row] = await vi.waitFor(async () => {
    const rows = await service.database.rows<{ running: number; waiting: number }>(STATE);
    expect(rows[0]?.running).toBe(RUNS);
    expect(rows[0]?.waiting).toBeGreaterThan(2);
    return rows;
  }, WAIT);
  expect(row?.waiting).toBeLessThanOrEqual(8);
  await begin(service, other, [await contactIn(service, other)]);
  await runThatIs(service, other, 'completed');
  await holder.query('commit');
  await vi.waitFor(async () => {
    const runs = await runsIn(service, busy);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['completed']));
  }, WAIT);
});
