import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { openDatabase } from '#platform/database/database.ts';
import { superviseWorker } from '#platform/queue/supervise-worker.ts';
import { watchEnd } from '#platform/queue/lanes.ts';
import type { WorkerOptions } from '#platform/queue/worker.ts';
import { createDatabase } from '../../support/database.ts';

const WAIT = { timeout: 90_000, interval: 50 };
const JOBS = 'graphile_worker._private_jobs';
const greet = defineJob({ name: 'test/greet', payload: request({}), maxAttempts: 3 });

async function startLane(perform: () => Promise<void>) {
  const testDatabase = await createDatabase();
  const log = pino({ level: 'silent' });
  const queue = openDatabase({ url: testDatabase.url, connections: 14, name: 'queue', log });
  const database = openDatabase({ url: testDatabase.url, connections: 2, name: 'test', log });
  const onFailure = vi.fn<(error: unknown) => void>();
  const lane = await superviseWorker({
    name: 'test',
    pool: queue.pool,
    handlers: [handle(greet, perform)],
    context: {} as WorkerOptions['context'],
    concurrency: 2,
    pollIntervalMs: 100,
    log,
    onFailure,
  });
  onTestFinished(async () => {
    await lane.stop(AbortSignal.timeout(1_000));
    await Promise.all([queue.close(), database.close()]);
    await testDatabase.drop();
  });
  const add = () =>
    database.rows('select graphile_worker.add_job($1, max_attempts => 3)', [greet.name]);
  return { lane, add, onFailure, database };
}

test('a lane that ends by itself is replaced at once; its running jobs finish and run once', async () => {
  let finish = () => {};
  const perform = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
  const { lane, add, onFailure, database } = await startLane(perform);
  await add();
  await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce(), WAIT);
  const { exitCode } = process;
  // graphile-worker then shuts its pool down.
  await database.rows(`select pg_notify('worker:migrate', '{"breaking": true}')`);
  await vi.waitFor(
    () => expect(lane.state()).toEqual({ isTaking: true, running: 0, restarts: 1 }),
    WAIT,
  );
  process.exitCode = exitCode;
  perform.mockImplementation(async () => undefined);
  await add();
  await vi.waitFor(() => expect(perform).toHaveBeenCalledTimes(2), WAIT);
  finish();
  await vi.waitFor(
    async () => expect(await database.rows(`select from ${JOBS}`)).toEqual([]),
    WAIT,
  );
  expect(perform).toHaveBeenCalledTimes(2);
  expect(onFailure).not.toHaveBeenCalled();
});

test('a lane that no longer fetches jobs is replaced', { timeout: 120_000 }, async () => {
  const perform = vi.fn<() => Promise<void>>(async () => undefined);
  const { lane, add, onFailure, database } = await startLane(perform);
  // graphile-worker waits up to two minutes after this error before it fetches again.
  await database.rows(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'the database system is starting up' using errcode = '57P03'; end $$`);
  await database.rows(
    `create trigger refuse before update on ${JOBS} for each row execute function refuse()`,
  );
  await add();
  await vi.waitFor(() => expect(lane.state().restarts).toBeGreaterThan(0), WAIT);
  expect(perform).not.toHaveBeenCalled();
  await database.rows(`drop trigger refuse on ${JOBS}`);
  await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce(), WAIT);
  expect(onFailure).not.toHaveBeenCalled();
});

test.each(['pool:fatalError', 'pool:gracefulShutdown'] as const)(
  '%s is reported once, and not after the lane was told to stop',
  (event) => {
    const events: WorkerEvents = new EventEmitter();
    const onFailure = vi.fn<(error: unknown) => void>();
    const ending = watchEnd(events, onFailure);
    const emit = () =>
      (events as EventEmitter).emit(event, { error: new Error('why'), message: 'why' });
    emit();
    emit();
    expect(onFailure.mock.calls).toEqual([[new Error('why')]]);
    const other = vi.fn<(error: unknown) => void>();
    watchEnd(events, other).expect();
    emit();
    ending.expect();
    expect(other).not.toHaveBeenCalled();
  },
);
