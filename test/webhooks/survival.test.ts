import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/embedded-postgres/start-embedded-postgres.ts';
import { postmasterOf } from '../embedded-postgres/embedded-postgres.support.ts';
import { createClient } from '../../sdk/src/main.ts';
import { frontdesk, newKey, startFrontdesk, type Started } from '../support/frontdesk.ts';
import { SINK_AUTHORITY, startSink } from '../support/https-sink.ts';
import { openProxy } from '../support/proxy.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { freePort } from '../support/free-port.ts';

const CREATES = 2_000;
const WRITERS = 8;
const KILLS_OF_EACH = 5;
const BETWEEN_KILLS_MS = 1_200;
const BETWEEN_WRITES_MS = 60;
const DRAINED_WITHIN_MS = 240_000;

test('no committed event is lost, none invented, and a repeated idempotency key counts once, however often every process is killed', async () => {
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
  const { key: apiKey } = await run('admin', 'key', 'create', ...key);

  const port = await freePort();
  const serve = restarted(() => startFrontdesk(['serve', '--port', String(port)], variables));
  const worker = restarted(() => startFrontdesk(['worker'], variables));
  await Promise.all([serve.start(), worker.start()]);
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = createClient({
    baseUrl,
    apiKey,
    maxTries: Infinity,
    // Shorter than Retry-After, so that every kill hits a request.
    sleep: () => sleep(BETWEEN_WRITES_MS),
  });
  const sink = await startSink({ https: true });
  await api.webhooks.create({ url: `${sink.url}/hook`, events: ['contact.created'] });

  /** Sends one request without a retry: its outcome is unknown if it gets no response. */
  const once = async () => {
    const answer = await fetch(`${baseUrl}/api/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Once', lastName: 'L' }),
    });
    return answer.status === 201 ? ((await answer.json()) as any).data.id : undefined;
  };
  const repeated = new Set<string>();
  const withRetries = async () => {
    const { id } = await api.contacts.create({ firstName: 'Retried', lastName: 'L' });
    repeated.add(id);
    return id;
  };

  const created = new Set<string>();
  const write = async (create: () => Promise<string | undefined>) => {
    while (created.size < CREATES) {
      const id = await create();
      if (id !== undefined) {
        created.add(id);
      }
      await sleep(BETWEEN_WRITES_MS);
    }
  };
  const writers = Array.from({ length: WRITERS / 2 }, () => [
    write(() => once().catch(() => undefined)),
    write(withRetries),
  ]);
  const victims = [serve, worker, database];
  const kill = async () => {
    for (let n = 0; n < KILLS_OF_EACH * victims.length; n += 1) {
      await sleep(BETWEEN_KILLS_MS);
      await victims[n % victims.length]?.kill();
    }
  };
  await Promise.all([kill(), ...writers.flat()]);

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
  const { rows: stubborn } = await client.query(
    `select id from contacts where first_name = 'Retried'`,
  );
  expect(new Set(stubborn.map(({ id }) => id))).toEqual(repeated);
  expect(await Promise.all([serve.end(), worker.end()])).toEqual([0, 0]);
}, 600_000);

/** A process that is started again whenever it is killed. */
function restarted(start: () => Promise<Started>) {
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

/** A PostgreSQL that is started again at the same address whenever it is killed. */
async function startDatabase() {
  const base = await newDataFolder('frontdesk-survival-');
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
      await proxy.restore(await start());
    },
  };
}
