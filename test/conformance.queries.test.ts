import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { endpoints } from '#registry/endpoints.ts';
import { hasId, lineOf, nounAt, queryFor, successfulRequest, traces } from './support/samples.ts';
import { describe, expect, test, type Answer, type TestService } from './support/service.ts';

/**
 * Without signed endpoints, since providers may add parameters to their address. Public endpoints
 * have a file of their own.
 */
const EVERY = endpoints
  .filter((endpoint) => endpoint.kind === 'keyed')
  .map((endpoint) => [endpoint.id, endpoint] as const);
const PAGED = EVERY.filter(([, { paged }]) => paged && paged !== 'size');
const PATHS = [...new Set(endpoints.map(({ path }) => path))];

const keyFor = ({ access }: KeyedEndpoint) => (access.kind === 'agency' ? 'agency' : 'full');

describe.for(EVERY)('%s', ([, endpoint]) => {
  const refused = async (service: TestService, line: string, query: string, name: string) => {
    const before = await traces(service);
    const { status, headers, body } = await service.call(`${line}?${query}`, {
      key: keyFor(endpoint),
    });
    expect([query, status, body.error?.code]).toEqual([query, 400, 'VALIDATION_ERROR']);
    const [issue] = body.error.details.issues;
    expect(issue).toEqual({ in: 'query', path: expect.any(String), message: expect.any(String) });
    // In a list, the path of the item.
    expect([`/${name}`, `/${name}/0`]).toContain(issue.path);
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(await traces(service)).toBe(before);
  };

  test('names an unknown parameter, however it is spelled', async ({ service }) => {
    const line = lineOf(endpoint, hasId(endpoint) ? await nounAt(endpoint).make(service) : '');
    await refused(service, line, 'unknown=1', 'unknown');
    await refused(service, line, 'unknown', 'unknown');
    await refused(service, line, '=1', '');
    await refused(service, line, '__proto__=1', '__proto__');
    await refused(service, line, 'constructor=1', 'constructor');
    await refused(service, line, 'a%2Fb%7E=1', 'a~1b~0');
    await refused(service, line, '%00=1', '\0');
    await refused(service, line, '%ff%zz=1', '\ufffd%zz');
  });

  test('names a declared parameter that is empty, repeated or holds a NUL', async ({ service }) => {
    const { id } = await successfulRequest(endpoint, service);
    for (const name of Object.keys(endpoint.query?.properties ?? {})) {
      const line = lineOf(endpoint, id);
      const others = (await queryFor(endpoint, service, name)).replace(/^\?(.+)/, '$1&');
      await refused(service, line, `${others}${name}=`, name);
      await refused(service, line, `${others}${name}=a%00b`, name);
      await refused(service, line, `${others}${name}=1&${name}=2`, name);
      await refused(service, line, `${others}${name}=${'x'.repeat(5_000)}`, name);
    }
  });

  test('survives a thousand parameters', async ({ service }) => {
    const line = lineOf(endpoint, hasId(endpoint) ? await nounAt(endpoint).make(service) : '');
    const query = Array.from({ length: 1_000 }, (_, n) => `p${n}=1`).join('&');
    const { status, body } = await service.call(`${line}?${query}`, { key: keyFor(endpoint) });
    expect([status, body.error.details.issues.length]).toEqual([400, 50]);
  });
});

describe.for(PAGED)('%s', ([, endpoint]) => {
  test.for(['0', '-1', '101', '1.5', '1e2', '+5', '0x10', 'NaN', '５', 'ten', '9'.repeat(400)])(
    'refuses limit=%s',
    async (limit, { shared: service }) => {
      const { line } = await successfulRequest(endpoint, service);
      const { status, body } = await service.call(`${line}?limit=${encodeURIComponent(limit)}`);
      expect([status, body.error.details.issues]).toMatchObject([
        400,
        [{ in: 'query', path: '/limit' }],
      ]);
    },
  );

  test('accepts a limit of 1 and of 100', async ({ service }) => {
    const { line } = await successfulRequest(endpoint, service);
    for (const limit of [1, 100]) {
      expect((await service.call(`${line}?limit=${limit}`)).status).toBe(200);
    }
  });
});

describe.for(PATHS.map((path) => [path]))('%s', ([path = '']) => {
  const allowed = endpoints.filter((one) => one.path === path).map(({ method }) => method);
  const isPublic = endpoints.some(
    (one) => one.path === path && (one.kind === 'public' || one.kind === 'stream'),
  );
  const all = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'];

  test('answers 405 with Allow to any other method, with or without a key', async ({ service }) => {
    const own = allowed.flatMap((method): string[] =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    if (isPublic) {
      own.push('OPTIONS');
    }
    for (const method of all.filter((one) => !own.includes(one))) {
      for (const key of ['full', null]) {
        const { status, headers, body } = await service.call(
          `${method} ${path.replace(':id', crypto.randomUUID())}`,
          { key },
        );
        expect([method, status, body.error.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
        expect(headers.get('allow')?.split(', ').sort()).toEqual(own.sort());
        expect(headers.get('x-api-version')).toBe('v1');
        expect(headers.get('x-request-id')).toBeTruthy();
      }
    }
  });
});

describe.for(EVERY.filter(([, { method }]) => method === 'GET'))('%s', ([, endpoint]) => {
  test('answers HEAD like GET, without the body', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const got = await service.call(line, options);
    const asked = await service.call(line.replace('GET', 'HEAD'), options);
    expect([asked.status, asked.body]).toEqual([200, '']);
    const names = ({ headers }: Answer) =>
      [...headers.keys()].filter((name) => name !== 'keep-alive');
    expect(names(asked)).toEqual(names(got));
    expect(asked.headers.get('content-length')).toBe(got.headers.get('content-length'));
  });
});
