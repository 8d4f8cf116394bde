import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { openDatabase } from '#platform/database/database.ts';
import { superviseWorker } from '#platform/queue/supervise-worker.ts';
import type { WorkerOptions } from '#platform/queue/worker.ts';
import { createDatabase } from '../../support/database.ts';
import { openProxy } from '../../support/proxy.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const never = new AbortController().signal;
const greet = defineJob({ name: 'test/greet', payload: request({}), maxAttempts: 1 });

/** A queue whose connection to the database can be cut, and the database itself. */
async function startQueue(perform: () => Promise<void>) {
  const testDatabase = await createDatabase();
  let said = '';
  const log = pino({ level: 'debug' }, { write: (line: string) => (said += line) });
  const proxy = await openProxy(testDatabase.url);
  const cut = openDatabase({ url: proxy.url, connections: 10, name: 'cut', log });
  const database = openDatabase({ url: testDatabase.url, connections: 2, name: 'test', log });
  const onFailure = vi.fn<(error: unknown) => void>();
  const worker = await superviseWorker({
    name: 'test',
    pool: cut.pool,
    handlers: [handle(greet, perform)],
    context: {} as WorkerOptions['context'],
    concurrency: 2,
    pollIntervalMs: 100,
    log,
    onFailure,
  });
  onTestFinished(async () => {
    await proxy.restore().catch(() => undefined);
    await worker.stop(AbortSignal.timeout(1_000));
    await Promise.all([cut.close(), database.close()]);
    await proxy.cut();
    await testDatabase.drop();
  });
  return {
    proxy,
    worker,
    onFailure,
    /** Waits until the worker has tried to record the end of a job while the database was down. */
    hasTried: () => vi.waitFor(() => expect(said).toContain('end of a job not recorded'), WAIT),
    queue: () => database.rows('select graphile_worker.add_job($1)', [greet.name]),
    left: () => database.rows('select from graphile_worker._private_jobs'),
  };
}

test('the end of a job while the database is down is recorded later, and the job runs once', async () => {
  let finish = () => {};
  const perform = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
  const { proxy, worker, onFailure, queue, left, hasTried } = await startQueue(perform);
  await queue();
  await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce(), WAIT);
  await proxy.cut();
  finish();
  await hasTried();
  await proxy.restore();
  perform.mockImplementation(async () => undefined);
  await queue();
  await vi.waitFor(async () => expect(await left()).toEqual([]), WAIT);
  expect(perform).toHaveBeenCalledTimes(2);
  expect(worker.state()).toMatchObject({ isTaking: true, running: 0 });
  expect(onFailure).not.toHaveBeenCalled();
  await worker.stop(never);
});

test('a worker that waits for the database can be stopped', async () => {
  const perform = vi.fn<() => Promise<void>>(async () => undefined);
  const { proxy, worker, queue, hasTried } = await startQueue(async () => {
    await perform();
    await proxy.cut();
  });
  await queue();
  await hasTried();
  await expect(worker.stop(never)).resolves.toBeUndefined();
});

test('a worker starts although its first connections fail', async () => {
  const testDatabase = await createDatabase();
  const proxy = await openProxy(testDatabase.url);
  let said = '';
  const log = pino({ level: 'warn' }, { write: (line: string) => (said += line) });
  const queue = openDatabase({ url: proxy.url, connections: 10, name: 'cut', log });
  await proxy.cut();
  const starting = superviseWorker({
    name: 'test',
    pool: queue.pool,
    handlers: [handle(greet, async () => {})],
    context: {} as WorkerOptions['context'],
    concurrency: 2,
    pollIntervalMs: 100,
    log,
    onFailure: () => undefined,
  });
  onTestFinished(async () => {
    const worker = await starting.catch(() => undefined);
    await worker?.stop(AbortSignal.timeout(1_000));
    await queue.close();
    await proxy.cut();
    await testDatabase.drop();
  });
  await vi.waitFor(() => expect(said).toContain('lane not started'), WAIT);
  await proxy.restore();
  await vi.waitFor(async () => expect((await starting).state().isTaking).toBe(true), WAIT);
});
