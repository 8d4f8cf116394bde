import { setImmediate as nextTick } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineJob, handle, type JobHandler } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { recoverJobsOfDeadWorkers } from '#platform/queue/recover-jobs.ts';
import { startWorker } from '#platform/queue/worker.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { IN_THIS_DATABASE } from '../../support/locks.ts';

const SOON = { timeout: 60_000 };

const log = pino({ level: 'silent' });
const greet = defineJob({
  name: 'test/greet',
  payload: request({ name: Type.String() }),
  maxAttempts: 1,
});

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createDatabase();
  database = openDatabase({ url: testDatabase.url, connections: 10, name: 'test', log });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const start = (handlers: readonly JobHandler[]) =>
  startWorker({
    pool: database.pool,
    handlers,
    context: {
      ...nowhere,
      execute: async (text) => (await database.pool.query(text)).rowCount ?? 0,
    },
    concurrency: 2,
    pollIntervalMs: 100,
    log,
    onFailure: (error) => expect.unreachable(String(error)),
  });

/** The jobs of these tests run statements only. */
const nowhere = {
  transact: () => Promise.reject(new Error('not here')),
} as unknown as Parameters<typeof startWorker>[0]['context'];

const queue = (payload: object, task = greet.name) =>
  database.rows('select graphile_worker.add_job($1, $2::json, max_attempts => 1)', [
    task,
    JSON.stringify(payload),
  ]);

interface JobRow {
  readonly attempts: number;
  readonly lockedBy: string | null;
  readonly lastError: string | null;
}
const jobs = () =>
  database.rows<JobRow>(
    `select attempts, locked_by as "lockedBy", last_error as "lastError"
     from graphile_worker._private_jobs order by id`,
  );

const never = new AbortController().signal;

describe('worker', () => {
  test('runs a job with its checked payload, attempt and signal', async () => {
    const perform = vi.fn<() => Promise<void>>(async () => undefined);
    const worker = await start([handle(greet, perform)]);
    await queue({ name: 'Ada' });
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), SOON);
    await worker.stop(never);
    expect(perform).toHaveBeenCalledExactlyOnceWith(
      { name: 'Ada' },
      expect.objectContaining({ attempt: 1, signal: expect.any(AbortSignal) }),
    );
  });

  test('never runs a job with an invalid payload', async () => {
    const perform = vi.fn<() => Promise<void>>(async () => undefined);
    const worker = await start([handle(greet, perform)]);
    await queue({ name: 1 });
    await vi.waitFor(
      async () => expect((await jobs())[0]?.lastError).toMatch(/name must be a string/),
      SOON,
    );
    await worker.stop(never);
    expect(perform).not.toHaveBeenCalled();
  });

  test('ignores the member `_cron` that earlier releases added to the payload', async () => {
    const perform = vi.fn<() => Promise<void>>(async () => undefined);
    const worker = await start([handle(greet, perform)]);
    await queue({ name: 'Ada', _cron: { ts: '2026-01-01T00:00:00Z' } });
    await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce(), SOON);
    await worker.stop(never);
    expect(perform).toHaveBeenCalledWith({ name: 'Ada' }, expect.anything());
  });

  test('lets running jobs finish before it stops, and takes no more', { repeats: 19 }, async () => {
    const finish = Promise.withResolvers<void>();
    const perform = vi.fn<(payload: unknown) => Promise<void>>(async (payload) =>
      (payload as { name: string }).name === 'first' ? finish.promise : undefined,
    );
    const worker = await start([handle(greet, perform)]);
    await queue({ name: 'first' });
    await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce(), SOON);
    const stopped = worker.stop(never);
    await queue({ name: 'second' });
    finish.resolve();
    await stopped;
    expect(perform).toHaveBeenCalledOnce();
    expect(await jobs()).toEqual([{ attempts: 0, lockedBy: null, lastError: null }]);
  });

  test('in a hurry requeues running jobs without counting the attempt', async () => {
    const finish = Promise.withResolvers<void>();
    const perform = vi.fn<() => Promise<void>>(() => finish.promise);
    const worker = await start([handle(greet, perform)]);
    await queue({ name: 'Ada' });
    await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce(), SOON);
    await worker.stop(AbortSignal.timeout(100));
    finish.resolve();
    expect(await jobs()).toEqual([{ attempts: 0, lockedBy: null, lastError: null }]);

    const again = vi.fn<() => Promise<void>>(async () => undefined);
    const next = await start([handle(greet, again)]);
    await vi.waitFor(() => expect(again).toHaveBeenCalledOnce(), SOON);
    await next.stop(never);
  });

  test('stops when the hurry began before', async () => {
    const worker = await start([handle(greet, async () => undefined)]);
    await expect(worker.stop(AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe('jobs', () => {
  const abandon = (by: string) =>
    database.rows(
      `update graphile_worker._private_jobs
       set locked_by = $1, locked_at = now(), attempts = max_attempts`,
      [by],
    );

  test('of a dead worker are freed, and the attempt does not count', async () => {
    await queue({ name: 'Ada' });
    await abandon('pool-dead');
    const watch = recoverJobsOfDeadWorkers(database.pool, 'pool-alive', log, 50);
    await vi.waitFor(async () => {
      expect(await jobs()).toEqual([{ attempts: 0, lockedBy: null, lastError: null }]);
    }, SOON);
    await watch.stop();
  });

  test('that fail without ending their worker are no suspects any more', async () => {
    await database.rows(`select graphile_worker.add_job($1, '{"name":"Ada"}', max_attempts => 3)`, [
      greet.name,
    ]);
    await abandon('pool-dead');
    const watch = recoverJobsOfDeadWorkers(database.pool, 'pool-alive', log, 50);
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ lockedBy: null }]), SOON);
    await watch.stop();
    const flags = async () =>
      (await database.rows<{ flags: object }>('select flags from graphile_worker._private_jobs'))[0]
        ?.flags;
    expect(await flags()).toEqual({ deaths: 1 });
    const worker = await start([handle(greet, () => Promise.reject(new Error('no')))]);
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ lastError: 'no' }]), SOON);
    await worker.stop(never);
    expect(await flags()).toEqual({});
  });

  test('after 2 deaths start one after another, and wait in the queue without an attempt', async () => {
    await queue({ name: 'first' });
    await queue({ name: 'second' });
    await database.rows(`update graphile_worker._private_jobs set flags = '{"deaths":2}'`);
    const finish = Promise.withResolvers<void>();
    const performed: unknown[] = [];
    const worker = await start([
      handle(greet, async (payload) => {
        performed.push(payload.name);
        await (payload.name === 'other' ? undefined : finish.promise);
      }),
    ]);
    await vi.waitFor(() => expect(performed).toContain('second'), SOON);
    expect(performed).toEqual(['first', 'second']);
    finish.resolve();
    await queue({ name: 'other' });
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), SOON);
    await worker.stop(never);
    // The only attempt of the second job would have been used up when it was postponed.
    expect(performed).toEqual(['first', 'second', 'other']);
  });

  test.each([
    [3, 'given up', true],
    [4, 'given up once more, after a worker ended while it gave up', true],
    [5, 'given up a third time', true],
    [6, 'dropped, because giving up ends workers', false],
  ])('after %i deaths alone are %s', async (deathsAlone, _name, isRecorded) => {
    await queue({ name: 'Ada' });
    const flags = { deaths: 3, deathsAlone };
    await database.rows('update graphile_worker._private_jobs set flags = $1', [flags]);
    const giveUp = vi.fn<() => Promise<void>>(async () => undefined);
    const perform = vi.fn<() => Promise<void>>(async () => undefined);
    const worker = await start([handle(greet, perform, giveUp)]);
    const lastError = expect.stringMatching(/^given up: 3 workers in a row ended/);
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ lastError }]), SOON);
    await worker.stop(never);
    expect(perform).not.toHaveBeenCalled();
    expect(giveUp).toHaveBeenCalledTimes(isRecorded ? 1 : 0);
  });

  test('of a living worker stay locked, even after its connection broke', async () => {
    await queue({ name: 'Ada' });
    await abandon('pool-other');
    const other = openDatabase({ url: testDatabase.url, connections: 2, name: 'other', log });
    const life = recoverJobsOfDeadWorkers(other.pool, 'pool-other', log, 10_000);
    await vi.waitFor(async () => expect(await holders()).toHaveLength(1), SOON);
    const { watch, sweep } = watchByHand();
    const [holder] = await holders();
    await database.rows('select pg_terminate_backend($1::int)', [holder?.pid]);
    await vi.waitFor(async () => expect(await holders()).not.toContainEqual(holder), SOON);
    await sweep();
    await vi.waitFor(async () => expect(await holders()).toHaveLength(1), SOON);
    await sweep();
    await sweep();
    expect(await jobs()).toMatchObject([{ lockedBy: 'pool-other' }]);
    await life.stop();
    await other.close();
    await vi.waitFor(async () => expect(await holders()).toEqual([]), SOON);
    await sweep();
    expect(await jobs()).toMatchObject([{ lockedBy: 'pool-other' }]);
    await sweep();
    expect(await jobs()).toMatchObject([{ lockedBy: null }]);
    await watch.stop();
  });

  /** A watch that sweeps when the test calls it, not by its timer. */
  const watchByHand = () => {
    let asked: Promise<unknown> = Promise.resolve();
    const { pool } = database;
    const query = (text: string, values: unknown[]) => (asked = pool.query(text, values));
    const seen = { query, connect: () => pool.connect() } as unknown as Pool;
    const timers = vi.spyOn(globalThis, 'setInterval');
    const watch = recoverJobsOfDeadWorkers(seen, 'pool-alive', log, 3_600_000);
    const [tick] = timers.mock.lastCall ?? [];
    timers.mockRestore();
    return {
      watch,
      async sweep() {
        tick?.();
        // One statement finds the dead workers, and another frees their jobs.
        for (let last; last !== asked;) {
          last = asked;
          await last;
          await nextTick();
        }
      },
    };
  };

  const holders = () =>
    database.rows<{ pid: number }>(
      `select pid from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and application_name = 'other'
         and ${IN_THIS_DATABASE}`,
    );
});
