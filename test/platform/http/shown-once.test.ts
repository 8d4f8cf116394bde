import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { Type, type TSchema } from 'typebox';
import { request } from '#core/schema/schema.ts';
import { PUBLIC_DEFAULT, readPublicRates } from '#core/rate-limit.ts';
import { buildApp } from '#platform/http/app.ts';
import { openBodyBudget } from '#platform/http/body/budget.ts';
import { openStreams } from '#platform/http/events.ts';
import { listen } from '#platform/process/listen.ts';
import { readAllowList } from '#platform/outbound/guard.ts';
import { openRateLimiter } from '#platform/rate-limit/limiter.ts';
import { endpoints } from '#registry/endpoints.ts';
import { caller, describe, expect, test as base, type TestService } from '../../support/service.ts';

let performed = 0;

/** A public write whose path has a parameter, and whose data has a secret. */
const issue = (service: TestService) =>
  definePublicEndpoint({
    id: 'test.issue',
    method: 'POST',
    path: '/api/test/:room/issue',
    summary: 'Issue a code',
    params: request({ room: Type.String() }),
    body: request({ visitor: Type.String() }),
    data: Type.Object({ room: Type.String(), code: Type.Optional(Type.String()) }),
    shownOnce: ['code'],
    owner: () => Promise.resolve(service.subAccountId),
    idempotencyOwner: ({ body }) => body.visitor,
    write: async ({ params: { room } }) => {
      performed += 1;
      return { data: { room, code: 'shown-once' } };
    },
  });

const test = base.extend<{ url: string }>({
  url: async ({ service }, use) => {
    const rate = { limit: 1_000, windowMs: 60_000 };
    const publicRates = readPublicRates(PUBLIC_DEFAULT);
    if (!publicRates) {
      throw new Error('the default rates are not rates');
    }
    const limiter = openRateLimiter({
      store: 'memory',
      query: () => Promise.reject(new Error('not asked')),
      log: service.log,
    });
    const app = buildApp(
      { endpoints: [issue(service)], plain: [] },
      {
        ...service,
        limiter,
        publicRates,
        rates: { read: rate, write: rate },
        baseUrl: () => 'http://localhost',
        cursorSecret: service.secrets.derive('cursors'),
        trustedProxies: readAllowList([]),
        streams: openStreams(),
        bodyBudget: openBodyBudget(),
        identify: () => Promise.reject(new Error('no keys here')),
        identifySession: () => Promise.reject(new Error('no sessions here')),
      },
    );
    const listener = await listen(app.fetch, { host: '127.0.0.1', port: 0 });
    await use(listener.url);
    await listener.close(0);
    await limiter.close();
  },
});

const SECRET = /^(?:secret|key|token|password)$/i;

/** Returns the names of members at any depth that sound like a secret. */
function secretsIn(schema: TSchema): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Record<string, any>;
  return [
    ...Object.keys(properties).filter((name) => SECRET.test(name)),
    ...[...Object.values<TSchema>(properties), ...anyOf, ...(items ? [items] : [])].flatMap(
      secretsIn,
    ),
  ];
}

/** Keys of definitions in manifests, such as a calendar's, are names and not secrets. */
const isName = ({ id }: { readonly id: string }, name: string) =>
  name === 'key' && !id.includes('keys');

/** Names one uploaded file for a day: a repeated call needs it to submit the form. */
const CLAIMS = new Set(['forms.file token']);

const shownOnceBy = (endpoint: Endpoint): readonly string[] =>
  ('shownOnce' in endpoint && endpoint.shownOnce) || [];

test('an endpoint declares each member of its data that is shown once', () => {
  const undeclared = endpoints
    .filter(({ method }) => method === 'POST')
    .flatMap((endpoint) =>
      secretsIn(endpoint.data)
        .filter((name) => !isName(endpoint, name) && !shownOnceBy(endpoint).includes(name))
        .map((name) => `${endpoint.id} ${name}`)
        .filter((member) => !CLAIMS.has(member)),
    );
  expect(undeclared).toEqual([]);
  expect(endpoints.filter((one) => shownOnceBy(one).length > 0).map(({ id }) => id)).toEqual([
    'webhooks.create',
    'webhooks.regenerate-secret',
  ]);
});

describe('a repeated public call', () => {
  test('is valid for one path, and its replay omits members that are shown once', async ({
    url,
  }) => {
    performed = 0;
    const options = { key: null, body: { visitor: 'v' }, headers: { 'idempotency-key': 'k' } };
    const call = caller(url, {});
    const first = await call('POST /api/test/one/issue', options);
    expect(first.body).toEqual({ data: { room: 'one', code: 'shown-once' } });
    const again = await call('POST /api/test/one/issue', options);
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual([
      'true',
      { data: { room: 'one' } },
    ]);
    const other = await call('POST /api/test/two/issue', options);
    expect(other.body).toEqual({ data: { room: 'two', code: 'shown-once' } });
    expect(performed).toBe(2);
  });
});
