import { Type } from 'typebox';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { openDatabase } from '#platform/database/database.ts';
import { superviseWorker } from '#platform/queue/supervise-worker.ts';
import type { WorkerOptions } from '#platform/queue/worker.ts';
import { injectConflicts } from '../../support/conflicts.ts';
import { createDatabase } from '../../support/database.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const JOBS = 'graphile_worker._private_jobs';
const count = defineJob({
  name: 'test/count',
  payload: request({ n: Type.Integer() }),
  maxAttempts: 3,
});
const never = new AbortController().signal;

/** A lane, and how often each of its jobs was run. */
async function startLane({
  fails = false,
  ...options
}: Partial<WorkerOptions & { fails: boolean }> = {}) {
  const testDatabase = await createDatabase();
  const log = pino({ level: 'silent' });
  const queue = openDatabase({ url: testDatabase.url, connections: 10, name: 'queue', log });
  const database = openDatabase({ url: testDatabase.url, connections: 2, name: 'test', log });
  const runs: number[] = [];
  const onFailure = vi.fn<(error: unknown) => void>();
  const lane = await superviseWorker({
    name: 'test',
    pool: queue.pool,
    handlers: [
      handle(count, async ({ n }) => {
        runs.push(n);
        if (fails) {
          throw new Error('not today');
        }
      }),
    ],
    context: {} as WorkerOptions['context'],
    concurrency: 4,
    pollIntervalMs: 100,
    log,
    ...options,
    onFailure,
  });
  onTestFinished(async () => {
    await lane.stop(AbortSignal.timeout(1_000));
    await Promise.all([queue.close(), database.close()]);
    await testDatabase.drop();
  });
  const add = (jobs: number) =>
    database.rows(
      `select graphile_worker.add_job($1, json_build_object('n', n), max_attempts => 3)
       from generate_series(1, $2::int) as n`,
      [count.name, jobs],
    );
  return { lane, runs, add, onFailure, database };
}

const numbers = (upTo: number) => Array.from({ length: upTo }, (_, index) => index + 1);
const inOrder = (runs: readonly number[]) => runs.toSorted((one, other) => one - other);

test.each([{ fetchAtOnce: undefined }, { fetchAtOnce: 4 }])(
  'deadlocks while jobs are completed cost nothing: each job is run once and removed ($fetchAtOnce)',
  async ({ fetchAtOnce }) => {
    const { lane, runs, add, onFailure, database } = await startLane(
      fetchAtOnce ? { fetchAtOnce } : {},
    );
    const injected = await injectConflicts(database.pool, { table: JOBS, on: 'delete', times: 5 });
    await add(40);
    await vi.waitFor(
      async () => expect(await database.rows(`select from ${JOBS}`)).toEqual([]),
      WAIT,
    );
    expect(await injected.left()).toBe(0);
    expect(inOrder(runs)).toEqual(numbers(40));
    expect(lane.state()).toEqual({ isTaking: true, running: 0, restarts: 0 });
    expect(onFailure).not.toHaveBeenCalled();
  },
);

test('deadlocks while jobs are fetched cost nothing', async () => {
  const { lane, runs, add, onFailure, database } = await startLane();
  const injected = await injectConflicts(database.pool, {
    table: JOBS,
    on: 'update',
    times: 5,
    when: 'old.locked_at is null and new.locked_at is not null',
  });
  await add(20);
  await vi.waitFor(
    async () => expect(await database.rows(`select from ${JOBS}`)).toEqual([]),
    WAIT,
  );
  expect(await injected.left()).toBe(0);
  expect(inOrder(runs)).toEqual(numbers(20));
  expect(lane.state()).toEqual({ isTaking: true, running: 0, restarts: 0 });
  expect(onFailure).not.toHaveBeenCalled();
});

test('deadlocks while the failure of a job is recorded lose neither the error nor an attempt', async () => {
  const { lane, runs, add, onFailure, database } = await startLane({ fails: true });
  const injected = await injectConflicts(database.pool, {
    table: JOBS,
    on: 'update',
    times: 3,
    when: 'new.last_error is not null',
  });
  await add(4);
  await vi.waitFor(async () => {
    const rows = await database.rows(
      `select attempts, last_error as error from ${JOBS} where locked_at is null and attempts > 0`,
    );
    expect(rows).toEqual(numbers(4).map(() => ({ attempts: 1, error: 'not today' })));
  }, WAIT);
  expect(await injected.left()).toBe(0);
  expect(inOrder(runs)).toEqual(numbers(4));
  expect(lane.state()).toEqual({ isTaking: true, running: 0, restarts: 0 });
  expect(onFailure).not.toHaveBeenCalled();
});

test('a lane that stops waits until the end of its jobs is recorded', async () => {
  const { lane, runs, add, database } = await startLane();
  const injected = await injectConflicts(database.pool, { table: JOBS, on: 'delete', times: 4 });
  await add(4);
  await vi.waitFor(() => expect(runs).toHaveLength(4), WAIT);
  await lane.stop(never);
  expect(await database.rows(`select from ${JOBS}`)).toEqual([]);
  expect(await injected.left()).toBe(0);
});

test('a job that fails after another took its key is deleted, and the other runs', async () => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ran: number[] = [];
  const waits = handle(count, async ({ n }) => {
    ran.push(n);
    if (n === 1) {
      begun.resolve();
      await gate.promise;
      throw new Error('the database went away');
    }
  });
  const { database } = await startLane({ handlers: [waits] });
  const add = (n: number) =>
    database.rows(
      `select graphile_worker.add_job($1, $2::json, job_key => 'one', max_attempts => 3)`,
      [count.name, JSON.stringify({ n })],
    );
  await add(1);
  await begun.promise;
  await add(2);
  gate.resolve();
  await vi.waitFor(
    async () => expect(await database.rows(`select from ${JOBS}`)).toEqual([]),
    WAIT,
  );
  expect(inOrder(ran)).toEqual([1, 2]);
});

test('a job that fails because the database is unavailable runs again at once, uncounted', async () => {
  const attempts: number[] = [];
  const cut = handle(count, async (_, { attempt }) => {
    attempts.push(attempt);
    if (attempts.length < 6) {
      throw new Error('Connection terminated unexpectedly');
    }
  });
  const { add, database } = await startLane({ handlers: [cut] });
  await add(1);
  await vi.waitFor(
    async () => expect(await database.rows(`select from ${JOBS}`)).toEqual([]),
    WAIT,
  );
  expect(attempts).toEqual([1, 1, 1, 1, 1, 1]);
});
