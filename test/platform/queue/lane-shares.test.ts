import { Type } from 'typebox';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { openDatabase } from '#platform/database/database.ts';
import { startWorker, type WorkerOptions } from '#platform/queue/worker.ts';
import { createDatabase } from '../../support/database.ts';

const WAIT = { timeout: 50_000, interval: 20 };
/** Longer than a test: jobs are fetched at the start, when jobs are added, and when a place is free. */
const NEVER_MS = 600_000;
const PLACES = 8;

const call = defineJob({
  name: 'test/call',
  payload: request({ subAccountId: Type.Optional(Type.String()), peer: Type.String() }),
  maxAttempts: 3,
});

const HANGS = 'hangs';
const RESPONDS = 'responds';

async function openLane(options: Partial<WorkerOptions> = {}) {
  const testDatabase = await createDatabase();
  const log = pino({ level: 'silent' });
  const queue = openDatabase({ url: testDatabase.url, connections: 10, name: 'queue', log });
  const database = openDatabase({ url: testDatabase.url, connections: 2, name: 'test', log });
  const released = Promise.withResolvers<void>();
  const running: string[] = [];
  const done: string[] = [];
  const perform = handle(call, async ({ subAccountId = 'none', peer }) => {
    running.push(subAccountId);
    await (peer === HANGS ? released.promise : undefined);
    running.splice(running.indexOf(subAccountId), 1);
    done.push(subAccountId);
  });
  const start = () =>
    startWorker({
      pool: queue.pool,
      handlers: [perform],
      context: {} as WorkerOptions['context'],
      concurrency: PLACES,
      isShared: true,
      pollIntervalMs: NEVER_MS,
      log,
      ...options,
      onFailure: (error) => expect.unreachable(String(error)),
    });
  const add = (jobs: number, subAccountId: string | undefined, peer: string) =>
    database.rows(
      `select graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec, json_build_object(
           'identifier', $1::text, 'payload',
             json_strip_nulls(json_build_object('subAccountId', $2::text, 'peer', $3::text))
         )) from generate_series(1, $4::int)))`,
      [call.name, subAccountId, peer, jobs],
    );
  onTestFinished(async () => {
    await Promise.all([queue.close(), database.close()]);
    await testDatabase.drop();
  });
  return { start, add, running, done, release: () => released.resolve() };
}

describe.each<[string, { fetchAtOnce?: number }]>([
  ['each place fetches its own job', {}],
  ['jobs are fetched together', { fetchAtOnce: 2 }],
])('the places of a shared lane, when %s', (_, options) => {
  test('jobs of one sub-account that hang leave places to others', async () => {
    const { start, add, running, done, release } = await openLane(options);
    const [busy, other, third] = ['busy', 'other', 'third'];
    await add(100, busy, HANGS);
    const worker = await start();
    await vi.waitFor(() => expect(running.length).toBeGreaterThanOrEqual(PLACES / 2), WAIT);
    await add(5, other, RESPONDS);
    await vi.waitFor(() => expect(done).toEqual(Array(5).fill(other)), WAIT);
    await add(100, other, HANGS);
    await vi.waitFor(() => expect(running).toContain(other), WAIT);
    await add(1, third, RESPONDS);
    await vi.waitFor(() => expect(done).toContain(third), WAIT);
    const most = PLACES / 2 + (options.fetchAtOnce ?? 1) - 1;
    expect(running.filter((id) => id === busy).length).toBeLessThanOrEqual(most);
    release();
    await vi.waitFor(() => expect(done).toHaveLength(5 + 1 + 200), WAIT);
    await worker.stop(AbortSignal.timeout(1_000));
  });

  test('jobs that waited run as soon as earlier ones end', async () => {
    const { start, add, done } = await openLane(options);
    await add(100, 'busy', RESPONDS);
    const worker = await start();
    await vi.waitFor(() => expect(done).toHaveLength(100), WAIT);
    await worker.stop(AbortSignal.timeout(1_000));
  });

  test('jobs of no sub-account take all places', async () => {
    const { start, add, running, release } = await openLane(options);
    await add(100, undefined, HANGS);
    const worker = await start();
    await vi.waitFor(() => expect(running).toHaveLength(PLACES), WAIT);
    release();
    await worker.stop(AbortSignal.timeout(1_000));
  });
});

test.each([{ fetchAtOnce: undefined }, { fetchAtOnce: 2 }])(
  'a lane that is full leaves further jobs to other workers ($fetchAtOnce)',
  async ({ fetchAtOnce }) => {
    let asked = 0;
    let isFull = true;
    const { start, add, done } = await openLane({
      ...(fetchAtOnce && { fetchAtOnce }),
      pollIntervalMs: 20,
      isFull() {
        asked += 1;
        return isFull;
      },
    });
    await add(3, undefined, RESPONDS);
    const worker = await start();
    await vi.waitFor(() => expect(asked).toBeGreaterThan(2 * PLACES), WAIT);
    expect(done).toEqual([]);
    expect(worker.isTaking()).toBe(true);
    isFull = false;
    await vi.waitFor(() => expect(done).toHaveLength(3), WAIT);
    await worker.stop(AbortSignal.timeout(1_000));
  },
);
