import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createPublicClient, FrontdeskError } from '../../sdk/src/main.ts';
import {
  answering,
  breakingOff,
  hangingUp,
  hastyClient,
  keepingSilent,
  refusing,
  startMisbehaving,
} from './sdk.support.ts';

const CONTACT = { firstName: 'Ada', lastName: 'Lovelace' };
const created = answering(201, { data: { id: 'c1', ...CONTACT } });
const found = answering(200, { data: { id: 'c1' } });

const errorOf = async (call: Promise<unknown>): Promise<FrontdeskError> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FrontdeskError);
  return error as FrontdeskError;
};

describe('a call is retried', () => {
  test.for([
    ['after a lost connection', hangingUp],
    ['after an interrupted response', breakingOff],
    ['503', refusing(503, 'SERVICE_UNAVAILABLE')],
    ['500', refusing(500, 'INTERNAL_ERROR')],
    ['429', refusing(429, 'RATE_LIMITED')],
    ['a page of a proxy that has lost its server', answering(502, { gone: true })],
  ] as const)('after %s', async ([, misbehaviour]) => {
    const { url, seen } = await startMisbehaving(misbehaviour, misbehaviour, found);
    const { client, waits } = hastyClient(url);
    expect(await client.contacts.get('c1')).toEqual({ id: 'c1' });
    expect(seen.map(({ path }) => path)).toEqual(Array(3).fill('/api/v1/contacts/c1'));
    expect(waits).toEqual([375, 750]);
  });

  test('after a timeout', async () => {
    const { url, seen } = await startMisbehaving(keepingSilent, found);
    const { client } = hastyClient(url, { timeoutMs: 2_000 });
    expect(await client.contacts.get('c1')).toEqual({ id: 'c1' });
    expect(seen).toHaveLength(2);
  });

  test('a POST, with the same generated key and body at each attempt', async () => {
    const { url, seen } = await startMisbehaving(hangingUp, breakingOff, created, created);
    const { client } = hastyClient(url);
    await client.contacts.create(CONTACT);
    await client.contacts.create(CONTACT);
    const keys = seen.map(({ headers }) => String(headers['idempotency-key']));
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual(seen.map(() => CONTACT));
  });

  test('a POST, with the key that its caller gives', async () => {
    const { url, seen } = await startMisbehaving(hangingUp, created);
    const { client } = hastyClient(url);
    await client.contacts.create(CONTACT, { idempotencyKey: 'import-17' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['import-17', 'import-17']);
  });

  test('a lookup by POST, without a key, since its response must not be stored', async () => {
    const { url, seen } = await startMisbehaving(hangingUp, answering(200, { data: [] }));
    await hastyClient(url).client.booking.history({ contactId: 'c1' });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  test('while an earlier attempt is still running, any number of times', async () => {
    const busy = refusing(409, 'IDEMPOTENCY_IN_PROGRESS');
    const { url, seen } = await startMisbehaving(hangingUp, busy, busy, busy, created);
    const { client } = hastyClient(url, { maxTries: 2 });
    expect(await client.contacts.create(CONTACT)).toMatchObject(CONTACT);
    expect(seen).toHaveLength(5);
  });
});

describe('a wait', () => {
  test.for([
    ['Retry-After in seconds', { 'retry-after': '7' }, 7_000],
    [
      'Retry-After as a date, by the clock of the server',
      { 'retry-after': 'Tue, 01 Dec 2026 10:00:20 GMT', date: 'Tue, 01 Dec 2026 10:00:00 GMT' },
      20_000,
    ],
    [
      'the end of the window, where there is no Retry-After',
      { 'x-ratelimit-reset': '1796119230', date: 'Tue, 01 Dec 2026 10:00:00 GMT' },
      30_000,
    ],
    ['nothing that can be read', { 'retry-after': 'soon' }, 0],
  ] as const)('is as long as an answer asks for: %s', async ([, headers, asked]) => {
    const { url } = await startMisbehaving(refusing(429, 'RATE_LIMITED', headers), found);
    const { client, waits } = hastyClient(url);
    await client.contacts.get('c1');
    expect(waits).toEqual([asked + 375]);
  });

  test('doubles up to eight seconds, half of it random', async () => {
    const { url } = await startMisbehaving(...Array(7).fill(hangingUp), found);
    let at = 0;
    const { client, waits } = hastyClient(url, {
      maxTries: 8,
      random: () => [0, 0.999, 0, 0.999, 0, 0.999, 0][at++] ?? 0,
    });
    await client.contacts.get('c1');
    expect(waits).toEqual([250, 1_000, 1_000, 3_998, 4_000, 7_996, 4_000]);
  });

  test('that exceeds the remaining time is not begun', async () => {
    const { url, seen } = await startMisbehaving(
      refusing(429, 'RATE_LIMITED', { 'retry-after': '3600' }),
    );
    const { client, waits } = hastyClient(url);
    const error = await errorOf(client.contacts.get('c1'));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 3_600_000 });
    expect({ waits, tries: seen.length }).toEqual({ waits: [], tries: 1 });
  });

  test('ends with the signal of the caller and rejects with its reason', async () => {
    const { url } = await startMisbehaving(refusing(503, 'X', { 'retry-after': '60' }));
    const { client } = hastyClient(url, { sleep: undefined });
    const leaving = new AbortController();
    const call = client.contacts.get('c1', { signal: leaving.signal });
    const reason = new Error('enough');
    setTimeout(() => leaving.abort(reason), 200);
    await expect(call).rejects.toBe(reason);
  });
});

describe('a call is given up', () => {
  test('after the last attempt', async () => {
    const { url, seen } = await startMisbehaving(...Array(9).fill(hangingUp));
    const { client } = hastyClient(url);
    const error = await errorOf(client.contacts.get('c1'));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined, tries: 5 });
    expect(error.cause).toBeInstanceOf(Error);
    expect(seen).toHaveLength(5);
    await errorOf(client.contacts.get('c1', { maxTries: 1 }));
    expect(seen).toHaveLength(6);
  });

  test('when its total time is over', async () => {
    const { url } = await startMisbehaving(...Array(9).fill(keepingSilent));
    const { client } = hastyClient(url, { now: undefined, timeoutMs: 200, totalTimeoutMs: 3_000 });
    const error = await errorOf(client.contacts.get('c1', { maxTries: 100 }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.tries).toBeGreaterThan(1);
  });

  test('at once after a refusal', async () => {
    const { url, seen } = await startMisbehaving(
      answering(
        400,
        {
          error: {
            code: 'VALIDATION_ERROR',
            message: 'invalid body: email is wrong',
            details: { issues: [{ in: 'body', path: '/email', message: 'is wrong' }] },
          },
        },
        { 'x-request-id': 'r1' },
      ),
    );
    const { client } = hastyClient(url);
    const error = await errorOf(client.contacts.create({ ...CONTACT, email: 'ada' }));
    expect(error).toMatchObject({
      name: 'FrontdeskError',
      code: 'VALIDATION_ERROR',
      message: 'invalid body: email is wrong',
      status: 400,
      requestId: 'r1',
      tries: 1,
      issues: [{ in: 'body', path: '/email', message: 'is wrong' }],
    });
    expect(seen).toHaveLength(1);
  });

  test('at once when its caller aborts', async () => {
    const { url, seen } = await startMisbehaving(keepingSilent);
    const { client } = hastyClient(url);
    const reason = new Error('enough');
    const gone = client.contacts.get('c1', { signal: AbortSignal.abort(reason) });
    await expect(gone).rejects.toBe(reason);
    expect(seen).toEqual([]);
    const leaving = new AbortController();
    const call = client.contacts.get('c1', { signal: leaving.signal });
    await expect.poll(() => seen.length).toBe(1);
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test.for([
    ['another program answers', 200, 'UNREADABLE_ANSWER'],
    ['a redirect comes, which does not get the key', 307, 'UNREADABLE_ANSWER'],
  ] as const)('at once where %s', async ([, status, code]) => {
    const { url, seen } = await startMisbehaving((response) => {
      response.writeHead(status, { location: '/elsewhere' }).end('<html>');
    });
    const { client } = hastyClient(url);
    expect(await errorOf(client.contacts.get('c1'))).toMatchObject({ code, status });
    expect(seen).toHaveLength(1);
  });

  test('without a listener, with the address and the cause', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    const { client } = hastyClient(`http://127.0.0.1:${port}`);
    const error = await errorOf(client.contacts.list());
    expect(error.message).toBe(`http://127.0.0.1:${port} cannot be reached`);
    expect(error.code).toBe('CONNECTION_FAILED');
  });
});

describe('a POST of a visitor', () => {
  const visitor = (baseUrl: string) =>
    createPublicClient({ baseUrl, sleep: () => Promise.resolve() });
  const booking = {
    subAccountId: 's1',
    appointmentTypeId: 't1',
    startTime: '2026-11-27T09:00:00Z',
    endTime: '2026-11-27T09:30:00Z',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  };

  test('is not repeated, since it could count twice', async () => {
    const { url, seen } = await startMisbehaving(hangingUp);
    const refused = await errorOf(visitor(url).publicBooking.create(booking));
    expect(refused.code).toBe('CONNECTION_FAILED');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is repeated after a 429', async () => {
    const booked = answering(201, { data: { id: 'a1' } });
    const { url, seen } = await startMisbehaving(refusing(429, 'RATE_LIMITED'), booked);
    expect(await visitor(url).publicBooking.create(booking)).toEqual({ id: 'a1' });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  test.for([
    [
      'a submission of a form',
      (url: string) => visitor(url).forms.submit({ formId: 'f1', fields: { name: 'Ada' } }),
    ],
    [
      'a message in a chat',
      (url: string) => visitor(url).chat.message({ sessionId: 's', message: 'Hi' }),
    ],
  ] as const)('is repeated with one key: %s', async ([, post]) => {
    const stored = answering(201, { data: { id: 'x1' } });
    const { url, seen } = await startMisbehaving(hangingUp, stored);
    expect(await post(url)).toEqual({ id: 'x1' });
    const [key, again] = seen.map(({ headers }) => headers['idempotency-key']);
    expect(key).toMatch(/^[\da-f]{32}$/);
    expect(again).toBe(key);
  });
});
