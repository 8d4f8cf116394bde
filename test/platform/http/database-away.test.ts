import { openProxy, type Proxy } from '../../support/proxy.ts';
import { openServer } from '../../support/server.ts';
import {
  caller,
  describe,
  expect,
  test as base,
  type Answer,
  type TestService,
} from '../../support/service.ts';

const LIST = 'GET /api/v1/contacts';
const CREATE = 'POST /api/v1/contacts';
const ada = { firstName: 'Ada', lastName: 'Lovelace' };
/** The statement timeout, instead of 35 seconds, for tests of statements that do not end. */
const QUERY_TIMEOUT_MS = 700;

interface Away {
  readonly proxy: Proxy;
  call(
    line: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
}

async function useAway(
  service: TestService,
  use: (away: Away) => Promise<void>,
  queryTimeoutMs?: number,
): Promise<void> {
  const proxy = await openProxy(service.databaseUrl);
  const databaseUrl = new URL(proxy.url);
  if (queryTimeoutMs !== undefined) {
    databaseUrl.searchParams.set('query_timeout', String(queryTimeoutMs));
  }
  const server = await openServer({ databaseUrl: databaseUrl.href });
  await use({ proxy, call: caller(server.url, service.keys) });
  proxy.thaw();
  await server.stop();
  await proxy.cut();
}

/** A server whose connection to the database can be cut, with the sub-accounts of the file's service. */
const test = base.extend<{ away: Away; impatient: Away }>({
  away: ({ service }, use) => useAway(service, use),
  /** Gives up statements early. */
  impatient: ({ service }, use) => useAway(service, use, QUERY_TIMEOUT_MS),
});

function expectAway({ status, headers, body }: Answer): void {
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toBeTruthy();
}

const recovers = (call: Away['call']) =>
  expect.poll(async () => (await call(LIST)).status, { timeout: 60_000 }).toBe(200);

describe('while the database is down', () => {
  test('every request returns 503 with Retry-After; afterwards the server recovers by itself', async ({
    away: { proxy, call },
  }) => {
    const { body } = await call(CREATE, { body: ada });
    await proxy.cut();
    for (const line of [
      LIST,
      `${LIST}/${body.data.id}`,
      `DELETE /api/v1/contacts/${body.data.id}`,
    ]) {
      expectAway(await call(line));
    }
    expectAway(await call(CREATE, { body: ada }));
    expectAway(await call(CREATE, { body: ada, headers: { 'idempotency-key': 'a' } }));
    await proxy.restore();
    await recovers(call);
    expect((await call(LIST)).body.meta.total).toBe(1);
    expect((await call(CREATE, { body: ada, headers: { 'idempotency-key': 'a' } })).status).toBe(
      201,
    );
  });

  test('requests that need no database still succeed', async ({
    away: { proxy, call },
    service,
  }) => {
    await proxy.cut();
    const headers = { authorization: 'Bearer nonsense' };
    expect((await call(LIST, { headers })).status).toBe(401);
    expect((await call('GET /nowhere')).status).toBe(404);
    expect((await call('PUT /api/v1/contacts')).status).toBe(405);
    expect((await service.call(LIST)).status).toBe(200);
    await proxy.restore();
  });

  test('a key that was revoked meanwhile is refused at once when it is back', async ({
    away: { proxy, call },
    service: { database, subAccountId },
  }) => {
    await recovers(call);
    await proxy.cut();
    await database.rows('update api_keys set revoked_at = now() where sub_account_id = $1', [
      subAccountId,
    ]);
    await proxy.restore();
    const answers = new Set<string>();
    await expect
      .poll(
        async () => {
          const { status, body } = await call(LIST);
          answers.add(body.error?.code ?? 'served');
          return status;
        },
        { timeout: 60_000 },
      )
      .toBe(401);
    expect(answers).not.toContain('served');
  });

  test('no response is wrong if it goes down and up under load', async ({
    away: { proxy, call },
  }) => {
    const statuses = new Map<number, number>();
    const over = new AbortController();
    let created = 0;
    const worker = async () => {
      while (!over.signal.aborted) {
        const { status, body } = await call(CREATE, { body: ada });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        created += Number(status === 201);
        if (status === 201) {
          const read = await call(`${LIST}/${body.data.id}`);
          expect([200, 503]).toContain(read.status);
        }
      }
    };
    const load = Promise.all([worker(), worker(), worker(), worker()]);
    const more = async (status: number) => {
      const before = statuses.get(status) ?? 0;
      await expect.poll(() => statuses.get(status) ?? 0).toBeGreaterThan(before + 20);
    };
    for (let n = 0; n < 3; n += 1) {
      await more(201);
      await proxy.cut();
      await more(503);
      await proxy.restore();
    }
    await more(201);
    over.abort();
    await load;
    expect(new Set(statuses.keys())).toEqual(new Set([201, 503]));
    await recovers(call);
    // A commit whose acknowledgement was lost exists although the response was 503.
    const { total } = (await call(LIST)).body.meta;
    expect(total).toBeGreaterThanOrEqual(created);
    expect(total).toBeLessThanOrEqual(created + 4 * 3);
  });

  test('a hanging statement returns 503, and later requests succeed', async ({
    impatient: { proxy, call },
  }) => {
    await recovers(call);
    proxy.freeze();
    expectAway(await call(LIST));
    proxy.thaw();
    await recovers(call);
  });

  test('a statement that waits for a lock returns 503', async ({
    impatient: { call },
    service: { database },
  }) => {
    const client = await database.pool.connect();
    await client.query('begin; lock table contacts in access exclusive mode');
    expectAway(await call(CREATE, { body: ada }));
    expectAway(await call(LIST));
    await client.query('commit');
    client.release();
    await recovers(call);
  });
});

test('a request whose sub-account a restore has removed meanwhile is to be repeated', async ({
  service,
}) => {
  const { call, database, subAccountId } = service;
  expect((await call(CREATE, { body: ada })).status).toBe(201);
  // As a restore does, without triggers and checks: this server has read the key before.
  const client = await database.pool.connect();
  await client.query('set session_replication_role = replica');
  await client.query('delete from sub_accounts where id = $1', [subAccountId]);
  client.release(true);
  expectAway(await call(CREATE, { body: ada }));
  expect(await service.eventNames()).toEqual(['contact.created']);
});
