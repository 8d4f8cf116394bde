import { describe, expect, test } from '../../support/service.ts';
import { head, openWire } from '../../support/wire.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Sends bytes, and returns the status and code of the response. */
async function refusal(url: string, text: string) {
  const wire = await openWire(url);
  wire.send(text);
  const { status, headers, text: body } = await wire.answer();
  expect(headers['x-api-version']).toBe('v1');
  expect(headers['x-request-id']).toMatch(UUID);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  wire.hangUp();
  return [status, JSON.parse(body).error.code];
}

describe('a request that reaches no endpoint is refused with an error envelope', () => {
  test.for([
    ['without a Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'with an expectation that nothing meets',
      head('POST /api/v1/contacts', { expect: '200-maybe', 'content-length': 2 }),
      417,
      'EXPECTATION_FAILED',
    ],
    ['with CONNECT', head('CONNECT example.com:443', {}), 405, 'METHOD_NOT_ALLOWED'],
    [
      'with too large headers',
      head('GET /', { pad: 'x'.repeat(65_536) }),
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['that is not HTTP', 'nonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ] as const)('%s', async ([, text, status, code], { running }) => {
    expect(await refusal(running.url, text)).toEqual([status, code]);
  });

  test('except an HTTP/1.0 request without Host', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send('GET /nowhere HTTP/1.0\r\n\r\n');
    expect((await wire.answer()).status).toBe(404);
    wire.hangUp();
  });
});

describe('the content type of a body', () => {
  test.for([
    ['application/json', {}, 201],
    ['application/json; charset=utf-8', {}, 201],
    ['application/merge-patch+json', {}, 415],
    ['application/vnd.api+json', {}, 415],
    ['text/json', {}, 415],
    ['application/json', { 'content-encoding': 'identity' }, 201],
    ['application/json', { 'content-encoding': 'gzip' }, 415],
    ['application/json', { 'content-encoding': 'br, gzip' }, 415],
  ] as const)('%s with %j is answered %i', async ([type, more, status], { service }) => {
    const answer = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'Lovelace' },
      headers: { 'content-type': type, ...more },
    });
    expect(answer.status).toBe(status);
    const created = status === 201 ? ['contact.created'] : [];
    expect(await service.eventNames()).toEqual(created);
    expect(answer.body.error?.code).toBe(status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : undefined);
  });
});
