import { Client } from 'pg';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { SCOPES } from '#core/scope.ts';
import { newId } from '#lib/id.ts';
import { createKey } from '../../../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../../../src/accounts/sub-accounts/create-sub-account.ts';
import { frontdesk } from '../../support/frontdesk.ts';
import { openProxy, type Proxy } from '../../support/proxy.ts';
import {
  startReplicatedPostgres,
  type ReplicatedPostgres,
} from '../../support/replicated-postgres.ts';
import { openServer } from '../../support/server.ts';
import { caller, OPERATOR } from '../../support/service.ts';

const PATIENT = { timeout: 60_000, interval: 50 };

let postgres: ReplicatedPostgres;
let proxy: Proxy;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  proxy = await openProxy(postgres.replica.url);
});
afterAll(async () => {
  await proxy.cut();
  await postgres.stop();
});

type Call = ReturnType<typeof caller>;

/** Two servers that share a primary and a replica, and a key for both. */
async function startTwo(replicaUrl = proxy.url) {
  const wanted = { databaseUrl: postgres.primary.url, replicaUrl };
  const servers = await Promise.all([openServer(wanted), openServer(wanted)]);
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  const [{ transact }] = servers;
  const subAccountId = newId(new Date());
  await transact(subAccountId, OPERATOR, (work) => createSubAccount(work, { name: 'Harbour' }));
  const { key: full } = await transact(subAccountId, OPERATOR, (work) =>
    createKey(work, { name: 'test', scopes: SCOPES }),
  );
  const [near, far] = servers.map(({ url }) => caller(url, { full })) as [Call, Call];
  return { near, far };
}

const contact = (n: number) => ({ firstName: `Ada ${n}`, lastName: 'Lovelace' });

async function on<R>(url: string, text: string): Promise<R> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}

/** How often contacts were read there; counted a little later than done. */
const reads = async (url: string): Promise<number> => {
  const { n } = await on<{ n: number }>(
    url,
    `select (idx_scan + seq_scan)::int as n from pg_stat_user_tables where relname = 'contacts'`,
  );
  return n;
};

/** Lists until the replica has answered one. */
async function untilRead(list: () => Promise<unknown>): Promise<void> {
  const before = await reads(postgres.replica.url);
  await vi.waitFor(async () => {
    await list();
    expect(await reads(postgres.replica.url)).toBeGreaterThan(before);
  }, PATIENT);
}

/** Whether a change by one server is in a list by the other at once; what was not, of so many. */
async function missed(near: Call, far: Call, times: number): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (let n = 0; n < times; n += 1) {
    const made = await near('POST /api/v1/contacts', { body: contact(n) });
    const list = await far('GET /api/v1/contacts?limit=1');
    if (made.status !== 201 || list.body.data?.[0]?.id !== made.body.data.id) {
      wrong.push([n, made.status, list.status, list.body]);
    }
  }
  return wrong;
}

describe('with a replica for lists', () => {
  test('lists and searches are read from it, records by id are not', async () => {
    const { near } = await startTwo();
    const { body } = await near('POST /api/v1/contacts', { body: contact(1) });
    await untilRead(() => near('GET /api/v1/contacts'));
    await untilRead(() => near('GET /api/v1/contacts?search=lovelace'));
    const before = await reads(postgres.primary.url);
    await vi.waitFor(async () => {
      expect((await near(`GET /api/v1/contacts/${body.data.id}`)).status).toBe(200);
      expect(await reads(postgres.primary.url)).toBeGreaterThan(before);
    }, PATIENT);
  });

  test('a write of one process is in the list of another at once', async () => {
    const { near, far } = await startTwo();
    await untilRead(() => far('GET /api/v1/contacts'));
    expect(await missed(near, far, 200)).toEqual([]);
  });

  test('a write of one process is in the list of another at once, even if the replica lags', async () => {
    const { near, far } = await startTwo();
    await untilRead(() => far('GET /api/v1/contacts'));
    await on(postgres.replica.url, 'select pg_wal_replay_pause()');
    onTestFinished(() => on(postgres.replica.url, 'select pg_wal_replay_resume()'));
    expect(await missed(near, far, 20)).toEqual([]);
  });

  test('a page continues after the previous one, whichever server returned that', async () => {
    const { near, far } = await startTwo();
    for (let n = 0; n < 9; n += 1) {
      await near('POST /api/v1/contacts', { body: contact(n) });
    }
    const seen: string[] = [];
    let cursor = '';
    for (const call of [near, far, near]) {
      const { status, body } = await call(`GET /api/v1/contacts?limit=3${cursor}`);
      expect([status, body]).toEqual([200, expect.anything()]);
      seen.push(...body.data.map(({ firstName }: any) => firstName));
      cursor = `&cursor=${encodeURIComponent(body.meta.cursor)}`;
      expect(body.meta.total).toBe(9);
    }
    expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => `Ada ${8 - n}`));
  });

  test('no response is lost if the replica is cut off or hangs', async () => {
    const { near, far } = await startTwo();
    await untilRead(() => far('GET /api/v1/contacts'));
    await proxy.cut();
    expect(await missed(near, far, 20)).toEqual([]);
    await proxy.restore();
    await untilRead(() => far('GET /api/v1/contacts'));
    proxy.freeze();
    expect(await missed(near, far, 20)).toEqual([]);
    proxy.thaw();
    await untilRead(() => far('GET /api/v1/contacts'));
  });

  test('a restarted replica is read again', async () => {
    const { near, far } = await startTwo();
    await untilRead(() => far('GET /api/v1/contacts'));
    await postgres.replica.stop();
    expect(await missed(near, far, 5)).toEqual([]);
    await postgres.replica.start();
    await proxy.cut();
    await proxy.restore(postgres.replica.url);
    await untilRead(() => far('GET /api/v1/contacts'));
    expect(await missed(near, far, 5)).toEqual([]);
  });

  test('a server that is no copy of the primary is never read', async () => {
    // The primary itself is none, nor is another database of its server.
    const other = new URL(postgres.primary.url);
    other.pathname = 'template1';
    for (const url of [postgres.primary.url, other.href]) {
      const { near, far } = await startTwo(url);
      expect(await missed(near, far, 3)).toEqual([]);
    }
  });
});

test('doctor reports why lists are not read from the replica', async () => {
  const findingWith = async (replicaUrl: string) => {
    const variables = { DATABASE_URL: postgres.primary.url, DATABASE_REPLICA_URL: replicaUrl };
    const { stdout } = await frontdesk(['doctor', '--json'], variables);
    return JSON.parse(stdout).checks.find((check: any) => check.name === 'database');
  };
  // The previous test restarted it, and it may still be connecting to the primary.
  await vi.waitFor(async () => {
    expect(await findingWith(postgres.replica.url)).toMatchObject({ status: 'ok' });
  }, PATIENT);
  expect(await findingWith(postgres.primary.url)).toMatchObject({
    status: 'warn',
    message: 'DATABASE_REPLICA_URL is not a streaming replica of the database',
  });
  await proxy.cut();
  expect(await findingWith(proxy.url)).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/^the replica does not respond: .*ECONNREFUSED/),
  });
  await proxy.restore();
});

describe('a promoted replica', () => {
  beforeEach(async () => {
    await on(postgres.replica.url, 'select pg_promote()');
  });

  test('is no longer read', async () => {
    const { near, far } = await startTwo();
    const before = await reads(postgres.replica.url);
    expect(await missed(near, far, 20)).toEqual([]);
    await vi.waitFor(async () => {
      // Counted once the connections that asked who it is are gone.
      expect(await reads(postgres.replica.url)).toBe(before);
    }, PATIENT);
  });
});
