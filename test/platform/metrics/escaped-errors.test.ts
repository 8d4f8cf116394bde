import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import { follow } from '../../support/event-source.ts';
import { describe, expect, test } from '../../support/service.ts';

interface LogLine {
  readonly msg: string;
  readonly activity?: string;
  readonly requestId?: string;
  readonly origin?: string;
  readonly [name: string]: unknown;
}

/** A process of its own, whose escaped errors are not vitest's; prints its log as JSON lines. */
async function start(inStart: string) {
  const program = `
    const { live } = await import('#platform/process/lifecycle.ts');
    const { pino } = await import('pino');
    const { escapedErrors } = await import('#platform/process/activity.ts');
    const log = pino();
    const { until } = await live(log, async (lifecycle) => {
      ${inStart}
    });
    const code = await until;
    log.info(escapedErrors(), 'counted');
    process.exit(code);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: LogLine[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => void lines.push(JSON.parse(line)));
  const exited = once(child, 'close');
  const logged = async (msg: string): Promise<LogLine> => {
    for (;;) {
      const found = lines.find((line) => line.msg === msg);
      if (found) {
        return found;
      }
      await Promise.race([
        once(reader, 'line'),
        exited.then(() => Promise.reject(new Error('ended'))),
      ]);
    }
  };
  const ended = async (): Promise<{ code: number; counted: LogLine | undefined }> => {
    const [code] = await exited;
    return { code, counted: lines.find(({ msg }) => msg === 'counted') };
  };
  return {
    lines,
    logged,
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended();
    },
  };
}

const ESCAPED = 'an error escaped; this is a bug';
const escapedIn = (lines: readonly LogLine[]) =>
  lines.filter(({ msg }) => msg === ESCAPED).map(({ activity, origin }) => [activity, origin]);

const SERVER = `
  const { buildApp } = await import('#platform/http/app.ts');
  const { listen } = await import('#platform/process/listen.ts');
  const { openStreams } = await import('#platform/http/events.ts');
  const OK = { status: 200, text: '{}' };
  const streams = openStreams();
  const later = () => new Promise((resolve) => setTimeout(resolve, 10));
  async function* broken() {
    yield { id: '1', event: 'message', data: '{}' };
    setTimeout(() => { throw new Error('escaped from a stream'); }, 1);
    await new Promise(() => undefined);
  }
  const plain = [
    { path: '/rejects', answer() { void later().then(() => { throw new Error('lost'); }); return OK; } },
    { path: '/throws', answer() {
      setTimeout(() => { throw new Error('thrown'); }, 1);
      return new Promise(() => undefined);
    } },
    { path: '/streams', answer: () => ({ status: 200, text: '', stream: streams.open('v', broken) }) },
    { path: '/fine', answer: () => OK },
  ];
  const app = buildApp({ endpoints: [], plain }, { log, trustedProxies: [] });
  const listener = await listen(app.fetch, { host: '127.0.0.1', port: 0 });
  lifecycle.onStop('streams', async () => streams.close());
  lifecycle.onStop('server', () => listener.close(0));
  log.info({ url: listener.url }, 'up');`;

describe('an uncaught error', () => {
  test('is logged with the id of its request and counted, and the server goes on', async () => {
    const server = await start(SERVER);
    const url = String((await server.logged('up'))['url']);
    const rejected = await fetch(`${url}/rejects`);
    expect(rejected.status).toBe(200);
    expect(await server.logged(ESCAPED)).toMatchObject({
      level: 50,
      activity: 'request',
      origin: 'rejection',
      requestId: rejected.headers.get('x-request-id'),
      err: { message: 'lost' },
    });
    const thrown = await fetch(`${url}/throws`);
    expect(thrown.status).toBe(500);
    expect(await thrown.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect((await fetch(`${url}/fine`)).status).toBe(200);
    const { code, counted } = await server.stop();
    expect(code).toBe(0);
    expect(counted).toMatchObject({ request: 2, stream: 0, job: 0 });
    expect(escapedIn(server.lines)).toEqual([
      ['request', 'rejection'],
      ['request', 'exception'],
    ]);
  });

  test('ends the stream that it belongs to, and no other', async () => {
    const server = await start(SERVER);
    const url = String((await server.logged('up'))['url']);
    const stream = await follow(`${url}/streams`);
    expect(await stream.ended).toBe('closed');
    expect(stream.events).toHaveLength(1);
    expect(await server.logged(ESCAPED)).toMatchObject({
      activity: 'stream',
      requestId: stream.headers.get('x-request-id'),
    });
    expect((await fetch(`${url}/fine`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0, counted: { stream: 1, request: 0 } });
  });

  test('fails the job that it belongs to, and the worker goes on to the next one', async () => {
    const database = await createDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      await database.drop();
    });
    const worker = await start(`
      const { Type } = await import('typebox');
      const { startWorker } = await import('#platform/queue/worker.ts');
      const { Pool } = (await import('pg')).default;
      const pool = new Pool({ connectionString: ${JSON.stringify(database.url)} });
      const job = (name) => ({ name, payload: Type.Object({}), maxAttempts: 1 });
      const handlers = [
        { job: job('test/throws'), handle() {
          setTimeout(() => { throw new Error('thrown'); }, 1);
          return new Promise(() => undefined);
        } },
        { job: job('test/rejects'), async handle() { void Promise.reject(new Error('lost')); } },
        { job: job('test/last'), async handle() { log.info('last'); } },
      ];
      pool.on('error', () => undefined);
      lifecycle.onStop('pool', () => pool.end());
      const worker = await startWorker({
        pool, handlers, context: {}, concurrency: 1, pollIntervalMs: 100, log,
        onFailure: (error) => lifecycle.end(1, String(error)),
      });
      lifecycle.onStop('worker', (hurry) => worker.stop(hurry));
      for (const { job: { name } } of handlers) {
        await pool.query('select graphile_worker.add_job($1, max_attempts => 1)', [name]);
      }
      log.info('up');`);
    await worker.logged('last');
    const { code, counted } = await worker.stop();
    expect(escapedIn(worker.lines)).toEqual([
      ['job', 'exception'],
      ['job', 'rejection'],
    ]);
    expect((await worker.logged(ESCAPED)).requestId).toMatch(/^job-\d+$/);
    expect([code, counted]).toMatchObject([0, { job: 2 }]);
    const { rows } = await client.query(
      'select task_identifier as name, last_error as error from graphile_worker.jobs',
    );
    expect(rows).toMatchObject([{ name: 'test/throws', error: expect.stringContaining('thrown') }]);
  });

  test('outside of requests, streams and jobs ends the process with 1', async () => {
    const server = await start(`
      ${SERVER}
      setTimeout(() => { throw new Error('nowhere'); }, 1);`);
    const { code, counted } = await server.ended();
    expect([code, counted]).toMatchObject([1, { request: 0, stream: 0, job: 0 }]);
  });
});
