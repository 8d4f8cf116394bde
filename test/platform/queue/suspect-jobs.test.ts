import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { makeWorkerUtils } from 'graphile-worker';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { FREE_JOBS_OF_WORKERS, REMOVE_FLAGS } from '#platform/queue/private-tables.ts';
import { openSuspectGate, Postponed } from '#platform/queue/suspect-gate.ts';
import { runJob } from '#platform/queue/suspect-jobs.ts';
import { createDatabase } from '../../support/database.ts';

const ALONE_MS = 20;
const HANGS = new Promise<void>(() => undefined);
const log = pino({ level: 'silent' });
const { signal } = new AbortController();
const newLane = (pool: Pool, id: string, aloneMs = ALONE_MS) => ({
  pool,
  gate: openSuspectGate({ aloneMs }),
  id: () => id,
  log,
  onGivenUp: () => undefined,
});

/** A pool whose database fails when the deaths of a job are to be forgotten. */
const failing = {
  query: async (text: string) => {
    if (text === REMOVE_FLAGS) {
      throw new Error('database away');
    }
  },
} as unknown as Pool;
const suspect = { id: '1', task_identifier: 'greet', flags: { deaths: 1 } };

test('a suspect that is done stays done if its deaths cannot be forgotten', async () => {
  const run = { handle: async () => undefined, giveUp: undefined, signal };
  await expect(runJob(suspect, newLane(failing, 'worker-1'), run)).resolves.toBeUndefined();
});

test('a suspect that failed keeps its own error', async () => {
  const run = { handle: () => Promise.reject(new Error('no')), giveUp: undefined, signal };
  await expect(runJob(suspect, newLane(failing, 'worker-1'), run)).rejects.toThrow('no');
});

test('fifty suspects that hang, after any number of deaths, keep no other job from its end', async () => {
  const lane = newLane(failing, 'worker-1');
  const ends = { suspects: 0, others: 0 };
  const hang = { handle: () => HANGS, giveUp: undefined, signal };
  for (let n = 0; n < 50; n += 1) {
    const job = { ...suspect, id: String(n), flags: { deaths: 1 + (n % 5) } };
    void runJob(job, lane, hang).then(
      () => (ends.suspects += 1),
      (error: unknown) => expect(error).toBeInstanceOf(Postponed),
    );
  }
  const handle = async () => void (ends.others += 1);
  for (let n = 0; n < 200; n += 1) {
    await runJob({ ...suspect, flags: null }, lane, { handle, giveUp: undefined, signal });
  }
  expect(ends).toEqual({ suspects: 0, others: 200 });
});

test('kills from outside while many jobs run give up none of them', async () => {
  const { database, begin } = await arrange(20);
  const giveUp = vi.fn<() => Promise<void>>();
  for (let kills = 1; kills <= 12; kills += 1) {
    const worker = await begin();
    for (const job of worker.jobs) {
      void worker.run(job, { handle: () => HANGS, giveUp, signal }).catch(() => undefined);
    }
    // Ends once no job runs alone.
    const other = { handle: async () => undefined, giveUp: undefined, signal };
    await worker.run({ ...suspect, flags: null }, other);
    await worker.kill();
  }
  expect(giveUp).not.toHaveBeenCalled();
  expect(await database.rows(ALONE_OR_GONE)).toEqual([{ jobs: 20, alone: 0 }]);
});

const ALONE_OR_GONE = `select count(*)::int as jobs,
    count(*) filter (where flags ? 'deathsAlone')::int as alone
  from graphile_worker._private_jobs`;

test.each([
  ['at once', 0, 3_600_000, 6],
  ['after its time alone', 3 * ALONE_MS, ALONE_MS, 11],
])(
  'a job that ends each worker %s is given up, and jobs beside it are done',
  async (_when, afterMs, aloneMs, deathsMax) => {
    const { database, begin } = await arrange(5, aloneMs);
    const [deadly] = (await begin()).jobs;
    await database.rows(`update graphile_worker._private_jobs
      set locked_by = null, locked_at = null, flags = null`);
    const giveUp = vi.fn<() => Promise<void>>(async () => undefined);
    const done = new Set<string>();
    let deaths = 0;
    while (giveUp.mock.calls.length === 0) {
      const worker = await begin();
      const died = Promise.withResolvers<void>();
      const die = async () => {
        await sleep(afterMs);
        deaths += 1;
        await worker.kill();
        died.resolve();
        await HANGS;
      };
      const runs = worker.jobs.map(async (job) => {
        const isDeadly = job.id === deadly?.id;
        const handle = isDeadly ? die : async () => void done.add(job.id);
        await worker.run(job, { handle, giveUp, signal }).catch(() => undefined);
      });
      await Promise.race([died.promise, Promise.all(runs)]);
      await worker.kill();
    }
    expect(deaths).toBeGreaterThan(3);
    expect(deaths).toBeLessThanOrEqual(deathsMax);
    expect(done.size).toBe(4);
  },
);

/** A queue with this number of jobs, and workers that fetch all of them. */
async function arrange(count: number, aloneMs?: number) {
  const testDatabase = await createDatabase();
  const database = openDatabase({ url: testDatabase.url, connections: 10, name: 'test', log });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
  });
  await (await makeWorkerUtils({ pgPool: database.pool })).release();
  await database.rows(`select graphile_worker.add_job('greet') from generate_series(1, $1)`, [
    count,
  ]);
  let workers = 0;
  return { database, begin: () => beginWorker(database, `worker-${(workers += 1)}`, aloneMs) };
}

interface JobRow {
  readonly id: string;
  readonly flags: object | null;
}

/** What runs in a process after its death never reaches the database. */
async function beginWorker(database: Database, id: string, aloneMs?: number) {
  const jobs = await database.rows<JobRow>(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), attempts = 1
     where locked_by is null and attempts < max_attempts returning id::text, flags`,
    [id],
  );
  let isDead = false;
  const query = (text: string, values: unknown[]) =>
    isDead ? HANGS : database.pool.query(text, values);
  const lane = newLane({ query } as unknown as Pool, id, aloneMs);
  return {
    jobs,
    run: (job: JobRow, run: Parameters<typeof runJob>[2]) =>
      runJob({ ...job, task_identifier: 'greet' }, lane, run),
    async kill() {
      isDead = true;
      await database.pool.query(FREE_JOBS_OF_WORKERS, [[id]]);
    },
  };
}
