import { openServer } from '../../support/server.ts';
import {
  caller,
  describe,
  expect,
  test as base,
  type Answer,
  type TestService,
} from '../../support/service.ts';
import { GRACE, setUpChat } from '../../chat/chat.support.ts';

const A_FEW = { limit: 3, windowMs: 3_600_000 };
const MANY = { limit: 1_000, windowMs: 60_000 };
const RATES = {
  chat_session: A_FEW,
  chat_message: MANY,
  chat_activity: MANY,
  chat_file: MANY,
  form_file: MANY,
  form: MANY,
  booking: MANY,
  workflow: MANY,
  availability: MANY,
  sign_in: MANY,
  oauth: MANY,
  public_read: MANY,
  captcha: MANY,
  unsubscribe: MANY,
};
const PROXIES = ['127.0.0.0/8', '10.0.0.0/8', '2001:db8:ffff::/48'];

type PublicLimitsInput = Partial<Parameters<typeof openServer>[0]>;
type Begin = (forwardedFor?: string, visitor?: object) => Promise<Answer>;

/** Opens servers and returns a function that begins a chat from behind the given addresses. */
const test = base.extend<{ serving: (wanted?: PublicLimitsInput) => Promise<Begin> }>({
  serving: async ({ running: { databaseUrl, clock }, service }, use) => {
    const opened: { stop(): Promise<void> }[] = [];
    await setUpChat(service);
    await use(async (wanted) => {
      const server = await openServer({ databaseUrl, clock, publicRates: RATES, ...wanted });
      opened.push(server);
      return beginning(server, service);
    });
    await Promise.all(opened.map(({ stop }) => stop()));
  },
});

const beginning =
  ({ url }: { readonly url: string }, { subAccountId }: TestService): Begin =>
  (forwardedFor, visitor = GRACE) =>
    caller(url, {})('POST /api/chat/session', {
      key: null,
      body: { subAccountId, ...visitor },
      ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
    });

const statuses = async (begin: Begin, addresses: readonly (string | undefined)[]) => {
  const found: number[] = [];
  for (const address of addresses) {
    found.push((await begin(address)).status);
  }
  return found;
};

describe('the limit of a visitor', () => {
  test('is in the headers of every response and ends in 429 with the seconds to wait', async ({
    serving,
  }) => {
    const begin = await serving();
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await begin();
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([201, '3']);
      expect(headers.get('x-ratelimit-remaining')).toBe(remaining);
      const inAnHour = Date.now() / 1_000 + 3_600;
      expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - inAnHour)).toBeLessThan(60);
    }
    const { status, headers, body } = await begin();
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  test('counts refused calls too, before the body is read', async ({ service, serving }) => {
    const begin = await serving();
    for (const visitorName of ['', ' ', '\t']) {
      expect((await begin(undefined, { visitorName })).status).toBe(400);
    }
    expect((await begin(undefined, { visitorName: '' })).status).toBe(429);
    expect((await begin()).status).toBe(429);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is shared by all processes', async ({ serving }) => {
    const begins = [
      await serving({ rateStore: 'postgres', trustedProxies: PROXIES }),
      await serving({ rateStore: 'postgres', trustedProxies: PROXIES }),
    ];
    // An address that no other test uses: they share the database.
    const address = '203.0.113.77';
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => begins.map((begin) => begin(address))).flat(),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17);
  });

  test('refuses calls while the rate limit store is down', async ({ service, serving }) => {
    const begin = await serving({ rateStore: 'redis://127.0.0.1:1' });
    for (let n = 0; n < 3; n += 1) {
      const { status, headers, body } = await begin();
      expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(await service.eventNames()).toEqual([]);
  });
});

describe('the address of a visitor', () => {
  test('is that of the connection, whatever X-Forwarded-For claims', async ({ serving }) => {
    const begin = await serving();
    const claims = ['198.51.100.1', '198.51.100.2', '2001:db8::1', '10.0.0.1'];
    expect(await statuses(begin, claims)).toEqual([201, 201, 201, 429]);
  });

  test('is the rightmost hop that is not a trusted proxy', async ({ serving }) => {
    const begin = await serving({ trustedProxies: PROXIES });
    const ada = '198.51.100.1';
    expect(
      await statuses(begin, [
        ada,
        `${ada}, 10.1.2.3`,
        `203.0.113.9, ${ada}, 2001:db8:ffff::1, 10.1.2.3`,
        `203.0.113.10, ${ada}`,
        `nonsense, ::1::2, ${ada}`,
        '198.51.100.2',
      ]),
    ).toEqual([201, 201, 201, 429, 429, 201]);
  });

  test('is that of the last proxy if the hop before it is not an address', async ({ serving }) => {
    const begin = await serving({ trustedProxies: PROXIES });
    const hops = ['unknown', '', '198.51.100.1:5000', '0x7f.1', '127.0.0.1'];
    expect(await statuses(begin, hops)).toEqual([201, 201, 201, 429, 429]);
  });

  test('counts together with its /64 in IPv6, and is the same in any spelling', async ({
    serving,
  }) => {
    const begin = await serving({ trustedProxies: PROXIES });
    expect(
      await statuses(begin, [
        '2001:db8:1:2::1',
        '2001:0db8:0001:0002:ffff::9',
        '2001:DB8:1:2:a:b:c:d',
        '2001:db8:1:2::2',
        '2001:db8:1:3::1',
        '::ffff:198.51.100.7',
        '::ffff:c633:6407',
        '198.51.100.7',
        '198.51.100.7',
      ]),
    ).toEqual([201, 201, 201, 429, 201, 201, 201, 201, 429]);
  });
});
