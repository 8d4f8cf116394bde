import { takesFile } from '#core/endpoint/file-body.ts';
import { endpoints } from '#registry/endpoints.ts';
import { follow } from './support/event-source.ts';
import { successfulRequest, traces } from './support/samples.ts';
import { describe, expect, test, type Answer, type TestService } from './support/service.ts';

/** They need no key: any web page may call them. */
const PUBLIC = endpoints
  .filter(({ kind }) => kind === 'public' || kind === 'stream')
  .map((endpoint) => [endpoint.id, endpoint] as const);
const ANSWERED = PUBLIC.filter(([, { kind }]) => kind === 'public');
/** A file may be any bytes of any type: test/files states what is refused. */
const POSTED = PUBLIC.filter(([, endpoint]) => endpoint.method === 'POST' && !takesFile(endpoint));
const ASKED = ANSWERED.filter(([, { method }]) => method === 'GET');

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

function expectOpen({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toMatch(UUID);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'x-request-id', ...RATE_HEADERS]));
}

function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
  expectOpen(answer);
}

/** A successful request without a key. */
async function request(endpoint: (typeof endpoints)[number], service: TestService) {
  const { line, options } = await successfulRequest(endpoint, service);
  const body = 'body' in options ? (options.body as Record<string, unknown>) : undefined;
  const raw = options.raw === undefined ? {} : { raw: options.raw };
  return { line, body, options: { key: null, ...raw, ...(body && { body }) } };
}

const ORIGIN = { origin: 'https://somewhere.example' };

describe.for(ANSWERED)('%s', ([, endpoint]) => {
  const isCounted = endpoint.kind === 'public' && endpoint.limit !== undefined;

  test('answers any web page, with or without credentials', async ({ service }) => {
    for (const headers of [
      ORIGIN,
      { ...ORIGIN, authorization: 'Bearer nonsense', cookie: 'a=b' },
    ]) {
      const { line, options } = await request(endpoint, service);
      const answer = await service.call(line, { ...options, headers });
      expect(answer.status).toBe(endpoint.status ?? 200);
      expectOpen(answer);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const counts = RATE_HEADERS.map((name) => answer.headers.get(name) !== null);
      expect(counts).toEqual([isCounted, isCounted, isCounted]);
    }
  });
});

describe.for(PUBLIC)('%s', ([, endpoint]) => {
  test('answers preflight requests', async ({ service }) => {
    const { method, path } = endpoint;
    const answer = await service.call(`OPTIONS ${path}`, {
      key: null,
      headers: {
        ...ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      },
    });
    expect([answer.status, answer.body]).toEqual([204, '']);
    expectOpen(answer);
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    expect(answer.headers.get('access-control-allow-headers')).toContain('content-type');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(answer.headers.get('content-length')).toBeNull();
    expect(answer.headers.get('content-type')).toBeNull();
  });

  test('answers 405 to another method, readable by a page', async ({ service }) => {
    const answer = await service.call(`DELETE ${endpoint.path}`, { key: null });
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')?.split(', ')).toContain(endpoint.method);
  });

  test('answers the same 404 to foreign, unknown and malformed ids', async ({ service }) => {
    const { line, body, options } = await request(endpoint, service);
    const [address = '', search] = line.split('?');
    const query = new URLSearchParams(search);
    const named = [...query.keys(), ...Object.keys(body ?? {})].filter((name) => OWNER.test(name));
    expect(named).toHaveLength(1);
    const [name = ''] = named;
    const right = query.get(name) ?? String(body?.[name]);
    const before = await traces(service);
    const answers = new Set<string>();
    for (const wrong of [
      crypto.randomUUID(),
      right.slice(0, -1) + (right.endsWith('a') ? 'b' : 'a'),
      'A'.repeat(43),
      'no-uuid',
      '..%2f..%2fetc',
      "' or '1'='1",
      '00000000-0000-0000-0000-000000000000',
      '５',
      right + right.slice(0, 10),
    ]) {
      const changed = new URLSearchParams(query);
      if (query.has(name)) {
        changed.set(name, wrong);
      }
      const answer = await service.call(
        search === undefined ? address : `${address}?${changed.toString()}`,
        {
          ...options,
          ...(body && { body: { ...body, ...(name in body && { [name]: wrong }) } }),
        },
      );
      expectRefusal(answer, 404, 'NOT_FOUND');
      answers.add(JSON.stringify(answer.body));
    }
    expect(answers.size).toBe(1);
    expect(await traces(service)).toBe(before);
  });

  test('names a parameter that is unknown, empty, repeated or hostile', async ({ service }) => {
    const { line, options } = await request(endpoint, service);
    const before = await traces(service);
    const [address = '', search = ''] = line.split('?');
    const own = Object.keys(endpoint.query?.properties ?? {});
    for (const [query, name] of [
      ...['unknown=1', '__proto__=1', 'constructor=1'].map((one) => [one, one.split('=')[0]]),
      ['%00=1', '\0'],
      ...own.flatMap((one) => [
        [`${one}=`, one],
        [`${one}=a%00b`, one],
        [`${one}=1&${one}=2`, one],
        [`${one}=${'x'.repeat(5_000)}`, one],
      ]),
    ] as const) {
      const kept = new URLSearchParams(search);
      kept.delete(name ?? '');
      const answer = await service.call(
        `${address}?${kept.size > 0 ? `${kept.toString()}&` : ''}${query}`,
        options,
      );
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details.issues[0]).toMatchObject({ in: 'query', path: `/${name}` });
    }
    expect(await traces(service)).toBe(before);
  });
});

/** Names the parameter with the sub-account. */
const OWNER = /^(?:subAccountId|sessionId|formId)$/;

describe.for(POSTED)('%s', ([, endpoint]) => {
  test.for([
    ['half of one', '{', 'application/json', 400, 'VALIDATION_ERROR'],
    ['nothing', '', 'application/json', 400, 'VALIDATION_ERROR'],
    ['null', 'null', 'application/json', 400, 'VALIDATION_ERROR'],
    ['an unknown member', '{"unknown":1}', 'application/json', 400, 'VALIDATION_ERROR'],
    ['another type', '{}', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['more than 1 MiB', ' '.repeat(2 ** 20 + 1), 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
  ] as const)(
    'refuses a body of %s in a way that a page can read',
    async ([, raw, type, status, code], { service }) => {
      await request(endpoint, service);
      const before = await traces(service);
      const headers = { ...ORIGIN, 'content-type': type };
      const answer = await service.call(`POST ${endpoint.path}`, { key: null, raw, headers });
      expectRefusal(answer, status, code);
      expect(await traces(service)).toBe(before);
    },
  );
});

describe.for(ASKED)('%s', ([, endpoint]) => {
  test('answers HEAD like GET, without the body', async ({ service }) => {
    const { line, options } = await request(endpoint, service);
    const got = await service.call(line, options);
    const asked = await service.call(line.replace('GET', 'HEAD'), options);
    expect([asked.status, asked.body]).toEqual([200, '']);
    expect(asked.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expectOpen(asked);
  });
});

describe.for(PUBLIC.filter(([, { kind }]) => kind === 'stream'))('%s', ([, endpoint]) => {
  test('is a stream that any web page may read', async ({ service }) => {
    const { line } = await request(endpoint, service);
    const stream = await follow(service.url + line.replace('GET ', ''), ORIGIN);
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expectOpen(stream);
    stream.leave();
  });

  test('answers HEAD at once', async ({ service }) => {
    const { line } = await request(endpoint, service);
    const { status, headers, body } = await service.call(line.replace('GET', 'HEAD'), {
      key: null,
    });
    expect([status, body]).toEqual([200, '']);
    expect(headers.get('content-type')).toBe('text/event-stream');
  });
});

describe.for(['/api/forms', '/api/chat', '/api/booking'])('below %s', (room) => {
  test.for(['', '/nope', '/config/', '/config/nope'])(
    'a page can read the 404 of "%s"',
    async (path, { service }) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const options = { key: null, headers: ORIGIN };
        const answer = await service.call(`${method} ${room}${path}`, options);
        expectRefusal(answer, 404, 'NOT_FOUND');
      }
      const asked = await service.call(`OPTIONS ${room}${path}`, { key: null, headers: ORIGIN });
      expect(asked.status).toBe(204);
      expectOpen(asked);
      expect(asked.headers.get('access-control-allow-methods')).toBe('GET, POST');
    },
  );
});

test('other unknown paths send no CORS headers', async ({ service }) => {
  for (const path of ['/api', '/api/', '/api/nope', '/api/formsx', '/api/v1/nope', '/nope']) {
    const answer = await service.call(`GET ${path}`, { key: null, headers: ORIGIN });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('every public endpoint was tested', () => {
  expect(PUBLIC.length).toBeGreaterThanOrEqual(5);
});
