import { onTestFinished, vi } from 'vitest';
import { SCOPES } from '#core/scope.ts';
import { createKey } from '../../../src/accounts/keys/create-key.ts';
import { caller, describe, expect, OPERATOR, test as base } from '../../support/service.ts';
import { openServer } from '../../support/server.ts';

const RATES = { read: { limit: 5, windowMs: 60_000 }, write: { limit: 3, windowMs: 60_000 } };
const HOUR = 3_600_000;
const WAIT = { timeout: 60_000 };
const LIST = 'GET /api/v1/contacts';
const CREATE = 'POST /api/v1/contacts';
const ada = { firstName: 'Ada', lastName: 'Lovelace' };

/** Two servers on one database, which count there. */
const test = base.extend<{ servers: { url: string }[] }>({
  servers: async ({ running: { databaseUrl, clock } }, use) => {
    const wanted = { databaseUrl, clock, rates: RATES, rateStore: 'postgres' } as const;
    const servers = [await openServer(wanted), await openServer(wanted)];
    await use(servers);
    await Promise.all(servers.map(({ stop }) => stop()));
  },
});

describe('rates', () => {
  test('are in the headers of every response after authentication and fall by one each', async ({
    service,
    servers: [server],
  }) => {
    const call = caller(server?.url ?? '', service.keys);
    const before = Math.floor(Date.now() / 1_000);
    for (const [line, remaining] of [
      [LIST, '4'],
      [`${LIST}/unknown`, '3'],
      [`${LIST}?unknown=1`, '2'],
      [`${LIST}/fields`, '1'],
    ] as const) {
      const { headers } = await call(line);
      expect(headers.get('x-ratelimit-limit')).toBe('5');
      expect(headers.get('x-ratelimit-remaining')).toBe(remaining);
      const reset = Number(headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThan(before);
      expect(reset).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000) + 62);
      expect(headers.get('retry-after')).toBeNull();
    }
  });

  test('are not used up by a 401, a 403, a 405 or the 404 of an unknown route', async ({
    service,
    servers: [server],
  }) => {
    const call = caller(server?.url ?? '', service.keys);
    const key = 'reader';
    await call(LIST, { key: 'sk_live_nonsense' });
    await call('GET /api/v1/nothing', { key });
    await call('PUT /api/v1/contacts', { key });
    const refused = await call(CREATE, { key, body: ada });
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '3']);
    expect((await call(LIST, { key })).headers.get('x-ratelimit-remaining')).toBe('4');
  });

  test('of reads return 429 with the seconds to wait, while writes still succeed', async ({
    service,
    servers: [server],
  }) => {
    const call = caller(server?.url ?? '', service.keys);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await call(LIST)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const { headers, body } = await call(LIST);
    expect(body.error.code).toBe('RATE_LIMITED');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(61);
    const written = await call(CREATE, { body: ada });
    expect([written.status, written.headers.get('x-ratelimit-remaining')]).toEqual([201, '2']);
  });

  test('are checked before path, query and body, and refused calls write nothing', async ({
    service,
    servers: [server],
  }) => {
    const call = caller(server?.url ?? '', service.keys);
    for (let n = 0; n < 3; n += 1) {
      await call(CREATE, { body: ada });
    }
    expect((await call(CREATE, { body: ada })).status).toBe(429);
    expect((await call(CREATE, { raw: '{' })).status).toBe(429);
    expect((await call('DELETE /api/v1/contacts/unknown?x=1')).status).toBe(429);
    expect(await service.eventNames()).toHaveLength(3);
  });

  test("are the key's own if it has any", async ({ service, servers: [server] }) => {
    const { key } = await service.transact(service.subAccountId, OPERATOR, (work) =>
      createKey(work, { name: 'own', scopes: SCOPES, rateRead: '2/1h', rateWrite: '9/30s' }),
    );
    const call = caller(server?.url ?? '', { own: key });
    const read = await call(LIST, { key: 'own' });
    expect(read.headers.get('x-ratelimit-limit')).toBe('2');
    const inAnHour = Date.now() / 1_000 + 3_600;
    expect(Math.abs(Number(read.headers.get('x-ratelimit-reset')) - inAnHour)).toBeLessThan(60);
    const written = await call(CREATE, { key: 'own', body: ada });
    expect(written.headers.get('x-ratelimit-limit')).toBe('9');
    await call(LIST, { key: 'own' });
    expect((await call(LIST, { key: 'own' })).status).toBe(429);
  });

  test('are exact across two servers, and separate for each key', async ({ service, servers }) => {
    const calls = servers.map(({ url }) => caller(url, service.keys));
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => calls.map((call) => call(CREATE, { body: ada }))).flat(),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(3);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(37);
    const remaining = replies
      .filter((reply) => reply.status === 201)
      .map((reply) => reply.headers.get('x-ratelimit-remaining'));
    expect(new Set(remaining)).toEqual(new Set(['0', '1', '2']));
    expect(await service.eventNames()).toHaveLength(3);
    expect((await calls[0]?.(CREATE, { key: 'other', body: ada }))?.status).toBe(201);
  });

  test('of a store whose clock is ahead are waited for no longer than a window', async ({
    service,
    running: { clock },
    servers: [server],
  }) => {
    onTestFinished(() => clock.advance(HOUR));
    clock.advance(-HOUR);
    const call = caller(server?.url ?? '', service.keys);
    const replies = [];
    for (let n = 0; n < 6; n += 1) {
      replies.push(await call(LIST));
    }
    expect(replies.at(-1)?.status).toBe(429);
    expect(replies.at(-1)?.headers.get('retry-after')).toBe('60');
  });

  test('are complete again in the next window', async ({ service, servers: [server] }) => {
    const { key } = await service.transact(service.subAccountId, OPERATOR, (work) =>
      createKey(work, { name: 'brief', scopes: SCOPES, rateRead: '1/1s' }),
    );
    const call = caller(server?.url ?? '', { key });
    const list = () => call(LIST, { key: 'key' });
    // Repeated if a window ended between the two requests.
    await vi.waitFor(async () => {
      const answers = await Promise.all([list(), list()]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.headers.get('retry-after')).toBe('1');
    }, WAIT);
    await expect.poll(async () => (await list()).status, WAIT).toBe(200);
  });
});
