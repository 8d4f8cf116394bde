import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#platform/embedded-postgres/start-embedded-postgres.ts';
import { postmasterOf } from '../platform/embedded-postgres.support.ts';
import { frontdesk, newKey, startFrontdesk, type Started } from '../support/frontdesk.ts';
import { SINK_AUTHORITY, startSink } from '../support/https-sink.ts';
import { openProxy } from '../support/proxy.ts';

const CREATES = 2_000;
const WRITERS = 8;
const KILLS_OF_EACH = 5;
const BETWEEN_KILLS_MS = 1_200;
const PACE_MS = 60;
const DRAINED_WITHIN_MS = 60_000;

test('no committed event is lost, and none invented, however often everything is killed', async () => {
  const database = await startDatabase();
  const variables = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8',
    FRONTDESK_RATE_WRITE: '1000000/1m',
    FRONTDESK_RATE_STORE: 'memory',
    FRONTDESK_WEBHOOK_RETRIES: '1s,1s,1s,1s,1s,1s,1s',
    FRONTDESK_LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: SINK_AUTHORITY,
  };
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await frontdesk([...args, '--json'], variables);
    return JSON.parse(stdout || stderr);
  };
  await run('migrate');
  const { id: sub } = await run('admin', 'sub-account', 'create', '--name', 'Harbour');
  const key = ['--sub-account', sub, '--name', 'k', '--scopes', 'all'];
  const { key: authorization } = await run('admin', 'key', 'create', ...key);

  const port = await freePort();
  const serve = keptAlive(() => startFrontdesk(['serve', '--port', String(port)], variables));
  const worker = keptAlive(() => startFrontdesk(['worker'], variables));
  await Promise.all([serve.start(), worker.start()]);
  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const sink = await startSink({ https: true });
  const subscription = { url: `${sink.url}/hook`, events: ['contact.created'] };
  expect((await post('webhooks', subscription)).status).toBe(201);

  const created = new Set<string>();
  const write = async () => {
    while (created.size < CREATES) {
      const answer = await post('contacts', { firstName: 'Ada', lastName: 'L' }).catch(() => null);
      if (answer?.status === 201) {
        created.add(((await answer.json()) as any).data.id);
      }
      await sleep(PACE_MS);
    }
  };
  const victims = [serve, worker, database];
  const kill = async () => {
    for (let n = 0; n < KILLS_OF_EACH * victims.length; n += 1) {
      await sleep(BETWEEN_KILLS_MS);
      await victims[n % victims.length]?.kill();
    }
  };
  await Promise.all([kill(), ...Array.from({ length: WRITERS }, write)]);

  const delivered = () =>
    new Map(
      sink.requests.map(({ headers, body }) => [
        JSON.parse(body.toString()).data.contactId as string,
        headers['x-webhook-event-id'],
      ]),
    );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await vi.waitFor(async () => {
    const { rows } = await client.query(
      `select (select count(*)::int from graphile_worker._private_jobs) as jobs,
         (select count(*)::int from outbox) as events`,
    );
    expect(rows).toEqual([{ jobs: 0, events: 0 }]);
    expect(created.difference(new Set(delivered().keys()))).toEqual(new Set());
  }, DRAINED_WITHIN_MS);

  const { rows } = await client.query('select contact_id, id from events');
  const committed = new Map(rows.map((row) => [row.contact_id, row.id]));
  expect(committed.size).toBeGreaterThanOrEqual(CREATES);
  expect(delivered()).toEqual(committed);
  expect(await Promise.all([serve.end(), worker.end()])).toEqual([0, 0]);
}, 180_000);

/** A process that comes back whenever it is killed. */
function keptAlive(start: () => Promise<Started>) {
  let running: Started;
  return {
    async start() {
      running = await start();
    },
    async kill() {
      await running.end('SIGKILL');
      await this.start();
    },
    end: () => running.end(),
  };
}

/** A PostgreSQL that is killed and comes back at the same address. */
async function startDatabase() {
  const base = await mkdtemp(join(tmpdir(), 'frontdesk-survival-'));
  // So that a server of another user, where the test runs as root, may enter.
  await chmod(base, 0o755);
  const dataDir = join(base, 'data');
  let server: EmbeddedPostgres;
  const start = async () => {
    server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
    return server.url;
  };
  const proxy = await openProxy(await start());
  onTestFinished(async () => {
    await proxy.cut();
    await server.stop();
    await rm(base, { recursive: true, force: true });
  });
  return {
    url: proxy.url,
    async kill() {
      process.kill(await postmasterOf(dataDir), 'SIGKILL');
      await proxy.cut();
      await server.stop();
      await proxy.mend(await start());
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
