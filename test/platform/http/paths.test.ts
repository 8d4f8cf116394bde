import { describe, expect, test } from '../../support/service.ts';
import { head, openWire } from '../../support/wire.ts';

describe('an unknown path', () => {
  test.for([
    '/nowhere',
    '/api',
    '/api/v1',
    '/api/v2/contacts',
    '/api/v1/contacts/',
    '/api/v1/contacts/fields/',
    '/api//v1/contacts',
    '//api/v1/contacts',
    '/api/v1/contacts//',
    '/API/v1/contacts',
    '/api/v1/contacts;a=b',
    '/api/v1/contacts%2f',
    '/api/v1/%63ontacts%',
    '/%',
    '/%00',
    '/%c3%28',
    '/..%2f..%2fetc/passwd',
    `/${'a/'.repeat(2_000)}a`,
    '*',
  ])('answers 404 in the envelope with every header: %s', async (path, { running }) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const wire = await openWire(running.url);
      wire.send(head(`${method} ${path}`, { 'content-length': 0 }));
      const { status, headers, text } = await wire.answer();
      expect([status, JSON.parse(text)]).toEqual([
        404,
        { error: { code: 'NOT_FOUND', message: expect.stringMatching(/^no such path; /) } },
      ]);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-api-version': 'v1',
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
        'cache-control': 'no-store',
      });
      wire.hangUp();
    }
  });

  test.for([
    ['/contacts', 'no such path; did you mean /api/v1/contacts?'],
    ['/api/contacts', 'no such path; did you mean /api/v1/contacts?'],
    ['/api/v2/contacts', 'no such path; did you mean /api/v1/contacts?'],
    ['/v1/contacts/1', 'no such path; did you mean /api/v1/contacts/1?'],
    ['/api/v1/contacts/', 'no such path; did you mean /api/v1/contacts?'],
    [
      '/api/v1/contact',
      'no such path; did you mean "contacts"? The paths of the API are listed at /docs',
    ],
    ['/x/y', 'no such path; the paths of the API start with /api/v1 and are listed at /docs'],
  ])('suggests the path that was meant: %s', async ([path, message], { service }) => {
    expect(await service.call(`GET ${path}`)).toMatchObject({
      status: 404,
      body: { error: { message } },
    });
  });

  test('names the record of a malformed id as of an unknown one', async ({ service }) => {
    const malformed = await service.call('GET /api/v1/opportunities/1');
    const unknown = await service.call(`GET /api/v1/opportunities/${crypto.randomUUID()}`);
    expect(malformed.body).toEqual({
      error: { code: 'NOT_FOUND', message: 'opportunity not found' },
    });
    expect(unknown.body).toEqual(malformed.body);
  });

  const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('answers a browser with a page in its language, whose style sheet exists', async ({
    running,
  }) => {
    const headers = { accept: HTML, 'accept-language': 'de-AT,de;q=0.9' };
    const answer = await fetch(`${running.url}/nowhere/else`, { headers });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await answer.text();
    expect(text).toContain('<h1>Diese Seite gibt es nicht</h1>');
    const [, href = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    expect((await fetch(new URL(href, answer.url))).status).toBe(200);
  });

  test.for([
    ['GET', '/api/v1/nowhere', HTML],
    ['GET', '/api', HTML],
    ['POST', '/nowhere', HTML],
    ['GET', '/nowhere', '*/*'],
  ] as const)(
    'answers %s %s for %s in the envelope',
    async ([method, path, accept], { running }) => {
      const answer = await fetch(running.url + path, { method, headers: { accept } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({
        error: { code: 'NOT_FOUND', message: expect.stringMatching(/^no such path; /) },
      });
    },
  );

  test('differs from a known path with needless escapes', async ({ service }) => {
    const { status } = await service.call('GET /api/v1/%63ontacts');
    expect(status).toBe(200);
  });
});

describe('a malformed request', () => {
  test.for([
    ['an unknown method', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\r\n\r\n', 400],
    ['no version', 'GET /nowhere\r\n\r\n', 404],
    ['an address of another scheme', 'GET foo:bar HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a length that is no number', head('POST /', { 'content-length': 'x' }), 400],
    [
      'a length and chunks',
      head('POST /', { 'content-length': 1, 'transfer-encoding': 'chunked' }),
      400,
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['a broken chunk', `${head('POST /', { 'transfer-encoding': 'chunked' })}zz\r\n`, 400],
    ['headers of 64 KiB', head('GET /', { padding: 'x'.repeat(65_536) }), 431],
  ] as const)(
    'is refused in the envelope and ends the connection: %s',
    async ([, text, wanted], { running }) => {
      const wire = await openWire(running.url);
      wire.send(text);
      const { status, headers, text: body } = await wire.answer();
      expect([status, headers['x-api-version']]).toEqual([wanted, 'v1']);
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      expect(JSON.parse(body).error.code).toMatch(/^[A-Z_]+$/);
      await wire.closed;
    },
  );

  test.for(['a:99999', 'a:b', '[', '[::', '%', 'a/b', 'a b', '\xff', ''])(
    'does not end the process: a Host of "%s"',
    async (host, { service }) => {
      for (const path of [
        '/api/v1/contacts',
        '/api/../x',
        '/x"y',
        '/api/v1/contacts?search="',
        '/%63',
      ]) {
        const wire = await openWire(service.url);
        wire.send(
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${service.keys.full}\r\n\r\n`,
        );
        const { status } = await wire.answer();
        expect([200, 400, 404]).toContain(status);
        wire.hangUp();
      }
      expect((await service.call('GET /api/v1/contacts')).status).toBe(200);
    },
  );

  test('does not include a request whose target names the server', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(
      head('GET http://elsewhere.example/api/v1/contacts', {
        authorization: `Bearer ${service.keys.full}`,
      }),
    );
    expect((await wire.answer()).status).toBe(200);
    wire.hangUp();
  });
});

test('every response has a new request id, whatever the client sends', async ({ service }) => {
  const headers = { 'x-request-id': 'mine' };
  const ids = new Set<string | null>();
  for (const line of ['GET /nowhere', 'GET /api/v1/contacts', 'PUT /api/v1/contacts']) {
    ids.add((await service.call(line, { headers })).headers.get('x-request-id'));
    ids.add((await service.call(line, { headers, key: null })).headers.get('x-request-id'));
  }
  expect([ids.size, ids.has('mine')]).toEqual([6, false]);
});

describe('a connection', () => {
  const contacts = (key: string) =>
    head('GET /api/v1/contacts', { authorization: `Bearer ${key}` });

  test('survives every refusal', async ({ service }) => {
    const wire = await openWire(service.url);
    const { full } = service.keys;
    const authorization = `Bearer ${full}`;
    const type = { 'content-type': 'application/json' };
    const big = 2 ** 20 + 1;
    const refused = [
      [head('GET /nowhere', {}), 404],
      [head('GET /api/v1/contacts', {}), 401],
      [head('PUT /api/v1/contacts', { 'content-length': 3 }) + 'abc', 405],
      [head('POST /api/v1/contacts', { authorization, ...type, 'content-length': 3 }) + 'abc', 400],
      [head('POST /api/v1/contacts', { authorization, 'content-length': 3 }) + 'abc', 415],
      [head('POST /api/v1/contacts', { 'content-length': 3 }) + 'abc', 401],
      [
        head('POST /api/v1/contacts', { authorization, ...type, 'content-length': big }) +
          ' '.repeat(big),
        413,
      ],
      [head('GET /api/v1/contacts/x', { authorization, 'content-length': 3 }) + 'abc', 404],
    ] as const;
    for (const [request, wanted] of refused) {
      wire.send(request);
      const { status, headers } = await wire.answer();
      expect([status, headers['connection']]).toEqual([wanted, 'keep-alive']);
      wire.send(contacts(full));
      expect((await wire.answer()).status).toBe(200);
    }
    wire.hangUp();
  });

  test('gets the responses to pipelined requests in their order', async ({ service }) => {
    const wire = await openWire(service.url);
    const authorization = `Bearer ${service.keys.full}`;
    const names = ['Ada', 'Grace', 'Mary'];
    for (const firstName of names) {
      const body = JSON.stringify({ firstName, lastName: 'x' });
      wire.send(
        head('POST /api/v1/contacts', {
          authorization,
          'content-type': 'application/json',
          'content-length': body.length,
        }) + body,
      );
      wire.send(head('GET /nowhere', {}));
    }
    for (const firstName of names) {
      const { status, text } = await wire.answer();
      expect([status, JSON.parse(text).data.firstName]).toEqual([201, firstName]);
      expect((await wire.answer()).status).toBe(404);
    }
    wire.hangUp();
  });
});
