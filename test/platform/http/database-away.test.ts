import { setTimeout as sleep } from 'node:timers/promises';
import { openProxy, type Proxy } from '../../support/proxy.ts';
import { openServer } from '../../support/server.ts';
import { caller, describe, expect, test as base, type Answer } from '../../support/service.ts';

const LIST = 'GET /api/v1/contacts';
const CREATE = 'POST /api/v1/contacts';
const ada = { firstName: 'Ada', lastName: 'Lovelace' };
/** Instead of 35 seconds; tests do not wait that long. */
const QUERY_TIMEOUT_MS = 700;

interface Away {
  readonly proxy: Proxy;
  call(
    line: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
}

/** A server whose way to the database can be cut, with the cast of the one beside it. */
const test = base.extend<{ away: Away }>({
  away: async ({ service }, use) => {
    const proxy = await openProxy(service.databaseUrl);
    const databaseUrl = new URL(proxy.url);
    databaseUrl.searchParams.set('query_timeout', String(QUERY_TIMEOUT_MS));
    const server = await openServer({ databaseUrl: databaseUrl.href });
    await use({ proxy, call: caller(server.url, service.keys) });
    proxy.thaw();
    await server.stop();
    await proxy.cut();
  },
});

function expectAway({ status, headers, body }: Answer): void {
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toBeTruthy();
}

const recovers = (call: Away['call']) =>
  expect.poll(async () => (await call(LIST)).status, { timeout: 10_000 }).toBe(200);

describe('while the database is away', () => {
  test('every request answers 503 and says when to come again; then all goes on by itself', async ({
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
    await proxy.mend();
    await recovers(call);
    expect((await call(LIST)).body.meta.total).toBe(1);
    expect((await call(CREATE, { body: ada, headers: { 'idempotency-key': 'a' } })).status).toBe(
      201,
    );
  });

  test('what needs no database is still answered as ever', async ({
    away: { proxy, call },
    service,
  }) => {
    await proxy.cut();
    const headers = { authorization: 'Bearer nonsense' };
    expect((await call(LIST, { headers })).status).toBe(401);
    expect((await call('GET /nowhere')).status).toBe(404);
    expect((await call('PUT /api/v1/contacts')).status).toBe(405);
    expect((await service.call(LIST)).status).toBe(200);
    await proxy.mend();
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
    await proxy.mend();
    const answers = new Set<string>();
    await expect
      .poll(
        async () => {
          const { status, body } = await call(LIST);
          answers.add(body.error?.code ?? 'served');
          return status;
        },
        { timeout: 10_000 },
      )
      .toBe(401);
    expect(answers).not.toContain('served');
  });

  test('no answer is wrong when it comes and goes under load', async ({
    away: { proxy, call },
  }) => {
    const statuses = new Map<number, number>();
    const stop = Date.now() + 3_000;
    let created = 0;
    const worker = async () => {
      while (Date.now() < stop) {
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
    for (let n = 0; n < 3; n += 1) {
      await sleep(500);
      await proxy.cut();
      await sleep(200);
      await proxy.mend();
    }
    await load;
    expect(new Set(statuses.keys())).toEqual(new Set([201, 503]));
    await recovers(call);
    // A commit whose acknowledgement was lost is there although its answer was 503.
    const { total } = (await call(LIST)).body.meta;
    expect(total).toBeGreaterThanOrEqual(created);
    expect(total).toBeLessThanOrEqual(created + 4 * 3);
  });

  test('a statement that hangs answers 503 in time, and the next ones are served', async ({
    away: { proxy, call },
  }) => {
    await recovers(call);
    proxy.freeze();
    const started = performance.now();
    expectAway(await call(LIST));
    expect(performance.now() - started).toBeLessThan(6_000);
    proxy.thaw();
    await recovers(call);
  });

  test('a statement behind a lock answers 503 in time', async ({
    away: { call },
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
