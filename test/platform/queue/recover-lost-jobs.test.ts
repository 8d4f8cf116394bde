import { EventEmitter } from 'node:events';
import { type WorkerEvents, makeWorkerUtils } from 'graphile-worker';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { trackKnownJobs, recoverLostJobs } from '#platform/queue/recover-jobs.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const log = pino({ level: 'silent' });
const SOON = { sweepEveryMs: 50, lostAfterMs: 1_000 };

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createDatabase();
  database = openDatabase({ url: testDatabase.url, connections: 4, name: 'test', log });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** A job that the queue gave to this worker a while ago. */
async function given(worker: string): Promise<string> {
  const [job] = await database.rows<{ id: string }>(
    `select id::text from graphile_worker.add_job('test/greet')`,
    [],
  );
  await database.rows(
    `update graphile_worker._private_jobs
     set locked_by = $1, locked_at = now() - interval '1 minute', attempts = 1 where id = $2`,
    [worker, job?.id],
  );
  return job?.id ?? '';
}

const held = async () =>
  (
    await database.rows<{ id: string }>(
      'select id::text from graphile_worker._private_jobs where locked_by is not null order by id',
    )
  ).map(({ id }) => id);

test('jobs that a worker was given but never received are freed, and its other jobs stay', async () => {
  await (await makeWorkerUtils({ pgPool: database.pool })).release();
  const lost = await given('pool-mine');
  const running = await given('pool-mine');
  const waiting = await given('pool-mine');
  const done = await given('pool-mine');
  const others = await given('pool-other');
  const events: WorkerEvents = new EventEmitter();
  const known = trackKnownJobs(events, 60_000);
  const emit = (name: string, about: object) => (events as EventEmitter).emit(name, about);
  emit('job:start', { job: { id: running } });
  emit('localQueue:getJobs:complete', { jobs: [{ id: waiting }, { id: done }] });
  emit('job:start', { job: { id: done } });
  emit('job:complete', { job: { id: done } });

  const watch = recoverLostJobs(database.pool, 'pool-mine', known, log, SOON);
  await vi.waitFor(async () => expect(await held()).not.toContain(lost), { timeout: 60_000 });
  expect(await held()).toEqual([running, waiting, done, others]);
  expect(
    await database.rows('select attempts from graphile_worker._private_jobs where id = $1', [lost]),
  ).toEqual([{ attempts: 0 }]);
  await watch.stop();
});
