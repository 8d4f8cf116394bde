import type { TSchema } from 'typebox';
import { takesFile } from '#core/endpoint/file-body.ts';
import { endpoints } from '#registry/endpoints.ts';
import { hasId, lineOf, nounAt, successfulRequest, traces } from './support/samples.ts';
import { describe, expect, test, type TestService } from './support/service.ts';

/** Without signed endpoints: they refuse a body by its signature (callbacks.test.ts). */
const WRITING = endpoints
  .filter(({ method, kind }) => method !== 'GET' && kind !== 'signed')
  .map((endpoint) => [endpoint.id, endpoint] as const);
/** Without uploads, which take any bytes (files-api.test.ts). */
const TAKING_A_BODY = WRITING.filter(
  ([, endpoint]) => endpoint.body !== undefined && !takesFile(endpoint),
);
const MIB = 2 ** 20;

/** A value of each JSON type, and texts that fit no field. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  Number.MAX_VALUE,
  '',
  ' ',
  'A\0B',
  '\ud800',
  '\udc00\ud800',
  'x'.repeat(100_000),
  '../../etc/passwd',
  [],
  [null],
  [[['deep']]],
  Array(1_000).fill('x'),
  {},
  { constructor: { prototype: {} } },
  { a: { b: { c: null } } },
];

const accepts = (schema: TSchema, value: unknown): boolean => {
  const { type, anyOf } = schema as { type?: string | string[]; anyOf?: TSchema[] };
  const own = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return anyOf
    ? anyOf.some((one) => accepts(one, value))
    : [type].flat().includes(own) || ([type].flat().includes('integer') && own === 'number');
};

/** What is refused changes nothing: all such tests of an endpoint share their record. */
function once<T>(make: (service: TestService) => Promise<T>) {
  let made: Promise<T> | undefined;
  return (service: TestService) => (made ??= make(service));
}

describe.for(TAKING_A_BODY)('%s', ([, endpoint]) => {
  const target = async (service: TestService) =>
    lineOf(endpoint, hasId(endpoint) ? await nounAt(endpoint).make(service) : '');
  const sharedTarget = once(target);
  const sharedRequest = once((service) => successfulRequest(endpoint, service));

  test.for([
    ...('bodyOptional' in endpoint ? [] : ([['no body', undefined, '']] as const)),
    ['null', 'null', ''],
    ['an array', '[]', ''],
    ['a string', '"x"', ''],
    ['a number', '1', ''],
    ['something that is not JSON', '{firstName: 1}', ''],
    ['two values', '{} {}', ''],
    ['an unknown member', '{"unknown":1}', '/unknown'],
    ['a member called __proto__', '{"__proto__":{"firstName":"a"}}', '/__proto__'],
    ['a member called constructor', '{"constructor":1}', '/constructor'],
    ['a member with a pointer in its name', '{"a/b~c":1}', '/a~1b~0c'],
    ['a NUL in a name', String.raw`{"\u0000":1}`, ''],
    ['half a surrogate pair', String.raw`{"unknown":"\ud800"}`, '/unknown'],
    ['a number beyond all numbers', '{"unknown":1e400}', '/unknown'],
    ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000), '/0'.repeat(64)],
    ['500,000 items', `[${'1,'.repeat(500_000)}1]`, '/9999'],
    ['broken UTF-8', Buffer.from('7b22ff223a317d', 'hex'), ''],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), ''],
  ] as const)(
    'refuses %s by name and leaves no trace',
    async ([, raw, path], { shared: service }) => {
      const line = await sharedTarget(service);
      const before = await traces(service);
      const { status, body } = await service.call(line, {
        ...(raw !== undefined && { raw }),
        headers: { 'content-type': 'application/json' },
      });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.details.issues).toContainEqual({
        in: 'body',
        path,
        message: expect.any(String),
      });
      expect(JSON.stringify(body).length).toBeLessThan(10_000);
      expect(await traces(service)).toBe(before);
    },
  );

  test('refuses a value of the wrong type for every member, naming the member', async ({
    service,
  }) => {
    const line = await target(service);
    const before = await traces(service);
    for (const [name, schema] of Object.entries(endpoint.body?.properties ?? {})) {
      for (const value of VALUES) {
        const { status, body } = await service.call(line, { body: { [name]: value } });
        const answered = `${name}: ${JSON.stringify(value).slice(0, 40)} → ${status}`;
        expect(status, answered).toBeLessThan(500);
        if (!accepts(schema, value)) {
          expect(status, answered).toBe(400);
          const paths = body.error.details.issues.map((issue: { path: string }) => issue.path);
          expect(paths, answered).toContainEqual(expect.stringMatching(`^/${name}(?:/|$)`));
        }
        if (status < 300) {
          expect(await traces(service), answered).toBeGreaterThanOrEqual(before);
        }
      }
    }
  });

  test('the last of repeated members counts', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const [name, value] = Object.entries(options.body as object)[0] ?? [];
    const raw = JSON.stringify(options.body).replace('{', `{"${name}":{"wrong":1},`);
    const { status } = await service.call(line, { raw });
    expect([status, value === undefined]).toEqual([endpoint.status ?? 200, false]);
  });

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/vnd.api+json',
    'x',
    '',
  ])('answers 415 to a body called "%s"', async (type, { shared: service }) => {
    const { line, options } = await sharedRequest(service);
    const before = await traces(service);
    const raw = Buffer.from(JSON.stringify(options.body));
    const { status, body } = await service.call(line, {
      ...options,
      raw,
      headers: { 'content-type': type },
    });
    expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await traces(service)).toBe(before);
  });

  test.for(['application/json; charset=utf-8', 'Application/JSON'])(
    'accepts JSON with the content type "%s"',
    async (type, { service }) => {
      const { line, options } = await successfulRequest(endpoint, service);
      const { status } = await service.call(line, {
        ...options,
        headers: { 'content-type': type },
      });
      expect(status).toBe(endpoint.status ?? 200);
    },
  );
});

describe.for(WRITING)('%s', ([, endpoint]) => {
  const sharedRequest = once((service) => successfulRequest(endpoint, service));

  test.for([
    ['a length', false],
    ['chunks', true],
  ] as const)(
    'answers 413 to more than 1 MiB sent with %s',
    async ([, chunked], { shared: service }) => {
      const { line } = await sharedRequest(service);
      const before = await traces(service);
      const [method = '', path = ''] = line.split(' ');
      const bytes = Buffer.alloc(3 * MIB, ' ');
      const response = await fetch(service.url + path, {
        method,
        headers: {
          authorization: `Bearer ${service.keys.full}`,
          'content-type': 'application/json',
        },
        body: chunked ? new Blob([bytes]).stream() : bytes,
        duplex: 'half',
      });
      const body = (await response.json()) as { error: { code: string } };
      expect([response.status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
      expect(await traces(service)).toBe(before);
    },
  );

  test('accepts a body of exactly 1 MiB, or reports another error', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const raw = Buffer.alloc(MIB, ' ');
    raw.set(Buffer.from(options.raw ?? JSON.stringify(options.body ?? {})));
    const { status } = await service.call(line, { raw });
    expect(status).toBe(endpoint.status ?? 200);
  });
});
