import { Agent, get, type IncomingMessage } from 'node:http';
import { writeFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { openProxy } from '../support/proxy.ts';
import { IN_THIS_DATABASE } from '../support/locks.ts';
import { bindKey } from '../support/bind-key.ts';

let database: TestDatabase;
let variables: Variables;
beforeAll(async () => {
  database = await createDatabase();
  variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
});
afterAll(() => database.drop());

/** Waits until a statement waits for a lock of `locker`. */
async function waitsForLock(locker: Client): Promise<void> {
  const waits = async () => {
    const { rowCount } = await locker.query(
      `select from pg_locks where not granted and relation = 'migrations'::regclass
       and ${IN_THIS_DATABASE}`,
    );
    return rowCount;
  };
  await expect.poll(waits).toBeGreaterThan(0);
}

/** A session that locks the migrations until its test has ended or rolls back. */
async function lockMigrations(): Promise<Client> {
  const locker = new Client({ connectionString: database.url });
  onTestFinished(() => locker.end());
  await locker.connect();
  await locker.query('begin; lock table migrations in access exclusive mode');
  return locker;
}

const serve = (args: readonly string[] = [], more: Variables = {}) =>
  startFrontdesk(['serve', '--port', '0', ...args], { ...variables, ...more });

describe('serve', () => {
  test('prints its address, responds without a key, and exits 0 on SIGTERM', async () => {
    const server = await serve();
    const { url } = server.said;
    expect(server.said).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(url + path);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ data: { status: 'ok' } });
    }
    const document = await fetch(`${url}/openapi.json`);
    expect(await document.json()).toMatchObject({ openapi: '3.1.0' });
    expect((await fetch(`${url}/api/v1/contacts`)).status).toBe(401);
    expect(await server.end()).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test.each(['SIGINT', 'SIGHUP'] as const)('exits 0 on %s', async (signal) => {
    const server = await serve();
    expect(await server.end(signal)).toBe(0);
  });

  test('is not delayed by an open idle connection', async () => {
    const server = await serve();
    const agent = new Agent({ keepAlive: true });
    const [answer] = (await once(get(`${server.said.url}/healthz`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    const closed = once(answer.socket, 'close');
    const locker = await lockMigrations();
    const running = fetch(`${server.said.url}/readyz`);
    await waitsForLock(locker);
    const ended = server.end();
    // The idle connection is closed at once, while a request is running.
    await closed;
    expect(server.process.exitCode).toBeNull();
    await locker.query('rollback');
    expect((await running).status).toBe(200);
    expect(await ended).toBe(0);
    agent.destroy();
  });

  test('lets a running request finish', async () => {
    const server = await serve();
    const locker = await lockMigrations();
    const answer = fetch(`${server.said.url}/readyz`);
    await waitsForLock(locker);
    const ended = server.end();
    await expect.poll(server.stderr).toContain('stopping');
    expect(server.process.exitCode).toBeNull();
    await locker.query('rollback');
    expect((await answer).status).toBe(200);
    expect(await ended).toBe(0);
  });

  test('a second signal ends it at once', async () => {
    const server = await serve();
    const locker = await lockMigrations();
    const answer = fetch(`${server.said.url}/readyz`).catch(() => 'dropped');
    await waitsForLock(locker);
    const ended = server.end();
    await expect.poll(server.stderr).toContain('stopping');
    // A signal within half a second counts as the first one.
    await sleep(700);
    server.process.kill('SIGTERM');
    expect(await answer).toBe('dropped');
    await locker.query('rollback');
    expect([0, 1]).toContain(await ended);
  });

  test('without its database it returns 503 with Retry-After, and recovers by itself', async () => {
    const proxy = await openProxy(database.url);
    const server = await serve([], { DATABASE_URL: proxy.url });
    const { url } = server.said;
    await proxy.cut();
    const refused = await fetch(`${url}/readyz`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await proxy.restore();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await server.end()).toBe(0);
    await proxy.cut();
  });

  test('a port in use is reported in one line, and not replaced by another', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const { code, stdout, stderr } = await frontdesk(['serve', '--port', String(port)], variables);
    holder.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `frontdesk: cannot listen on 127.0.0.1, port ${port}: another program listens there; choose another port with --port or FRONTDESK_PORT\n`,
    );
  });

  test('an address of another machine is a wrong value, and the variable is named', async () => {
    const { code, stderr } = await frontdesk(['serve', '--port', '0'], {
      ...variables,
      FRONTDESK_HOST: '203.0.113.9',
      FRONTDESK_PROT: '8080',
    });
    expect(stderr).toContain(
      'FRONTDESK_PROT is not a variable of Frontdesk; did you mean FRONTDESK_PORT?',
    );
    expect(stderr).toContain(
      'frontdesk: cannot listen on 203.0.113.9, port 0: this machine does not have that address; correct FRONTDESK_HOST or --host\n',
    );
    expect(code).toBe(2);
  });

  test('reads FRONTDESK_ENV_FILE, which the environment overrides', async () => {
    const path = join(tmpdir(), `frontdesk-${process.pid}.env`);
    await writeFile(
      path,
      `FRONTDESK_BASE_URL=https://crm.example\nDATABASE_URL=${database.url}\nFRONTDESK_SECRET_KEY=nonsense\n`,
    );
    const { FRONTDESK_SECRET_KEY = '' } = variables;
    const server = await startFrontdesk(['serve', '--port', '0'], {
      FRONTDESK_ENV_FILE: path,
      FRONTDESK_SECRET_KEY,
    });
    await rm(path);
    expect(server.said.url).toBe('https://crm.example');
    expect(await server.end()).toBe(0);
  });

  test('logs are JSON lines on standard error', async () => {
    const server = await serve();
    await fetch(`${server.said.url}/openapi.json`);
    await server.end();
    const lines = server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual(['listening', 'request', 'stopping', 'stopped']);
  });
});
