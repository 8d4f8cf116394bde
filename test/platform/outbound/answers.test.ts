import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outbound, OutboundRequest } from '#core/outbound.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { answered, connectionsAreFree, requestTo } from './support.ts';

let sink: Sink;
let outbound: Outbound;

beforeEach(async () => {
  sink = await startSink();
  outbound = openOutbound({ allow: ['127.0.0.0/8'] });
});

afterEach(async () => {
  await outbound.close();
  await sink.close();
});

const send = (more: Partial<OutboundRequest> = {}) =>
  outbound.send(requestTo(`${sink.url}/hook?a=b#c`, more));

/** Writes a few bytes again and again until the other side has enough. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('drip'), 5);
  response.on('close', () => clearInterval(timer));
}

describe('a response', () => {
  test('that arrives byte by byte is kept in a few pieces', async () => {
    const sizeBytes = 10_000;
    sink.answer = (_request, response) => {
      for (let sent = 0; sent < sizeBytes; sent += 1) {
        response.write('a');
      }
      response.end();
    };
    const concat = vi.spyOn(Buffer, 'concat');
    const { body } = answered(await send({ readMaxBytes: sizeBytes }));
    const counts = concat.mock.calls.map(([pieces]) => pieces.length);
    concat.mockRestore();
    expect(body.toString()).toBe('a'.repeat(sizeBytes));
    expect(Math.max(...counts)).toBeLessThan(100);
  });
});

describe('a request', () => {
  test('arrives as it was given', async () => {
    const { status } = answered(await send({ headers: { 'X-Webhook-Event': 'contact.created' } }));
    expect(status).toBe(200);
    const [request] = sink.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=b' });
    expect(request?.body.toString()).toBe('{"a":1}');
    expect(request?.headers).toEqual({
      host: new URL(sink.url).host,
      connection: 'keep-alive',
      'content-length': '7',
      'x-webhook-event': 'contact.created',
    });
  });

  test.each(['{"a":1}', 'Zähne ✨'])(
    'has a head in Latin-1 and the body %j in UTF-8',
    async (body) => {
      answered(await send({ headers: { 'user-agent': 'Zähne-Webhooks/1.0' }, body }));
      const [request] = sink.requests;
      expect(request?.headers['user-agent']).toBe('Zähne-Webhooks/1.0');
      expect(request?.body.toString()).toBe(body);
    },
  );

  test('carries bytes as they are, or nothing', async () => {
    const { body: _none, ...bare } = requestTo(sink.url, { method: 'GET' });
    answered(await outbound.send(bare));
    answered(await send({ method: 'PUT', body: new Uint8Array([0, 255, 10]) }));
    expect(sink.requests.map(({ body }) => [...body])).toEqual([[], [0, 255, 10]]);
  });

  test.each([
    ['a header that no head can hold', { headers: { 'x-brand': 'a\nb' } }, /x-brand/],
    ['a header that is not ours to set', { headers: { 'content-length': '3' } }, /content-length/i],
  ])('is not sent with %s', async (_what, more, reason) => {
    expect(await send(more)).toMatchObject({ failure: expect.stringMatching(reason) });
    expect(sink.requests).toEqual([]);
  });

  test.each([
    ['nonsense', 'the URL is not valid'],
    ['ftp://example.com/', 'the URL does not begin with https:// or http://'],
    ['https://user:secret@example.com/', 'the URL contains a user name or a password'],
  ])('goes nowhere with the URL %s', async (url, failure) => {
    expect(await outbound.send(requestTo(url))).toMatchObject({ failure });
  });
});

describe('an answer', () => {
  test('is given whole, headers by lower-case name, the first of each', async () => {
    sink.answer = (_request, response) => {
      response.writeHead(503, {
        'Retry-After': '7',
        'X-Twice': ['one', 'two'],
        'Set-Cookie': ['a=1', 'b=2'],
      });
      response.end('busy');
    };
    const { status, headers, body } = answered(await send());
    expect({ status, body: body.toString() }).toEqual({ status: 503, body: 'busy' });
    expect(headers).toMatchObject({ 'retry-after': '7', 'x-twice': 'one', 'set-cookie': 'a=1' });
  });

  test.each([[301], [302], [307], [308]])('that redirects is the answer: %i', async (status) => {
    sink.answer = (_request, response) => {
      response.writeHead(status, { location: `${sink.url}/elsewhere` }).end();
    };
    const answer = answered(await send());
    expect(answer).toMatchObject({ status, headers: { location: `${sink.url}/elsewhere` } });
    expect(sink.requests).toHaveLength(1);
  });

  test('has no body where there is none', async () => {
    sink.answer = (_request, response) => void response.writeHead(204).end();
    expect(answered(await send())).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });

  test('counts though bytes follow it, which end the connection', async () => {
    sink.answer = ({ socket }) => void socket.write('HTTP/1.1 204 No Content\r\n\r\nsurplus');
    expect(answered(await send())).toMatchObject({ status: 204, body: Buffer.alloc(0) });
    await connectionsAreFree();
    expect(answered(await send())).toMatchObject({ status: 204 });
    expect(sink.connections).toBe(2);
  });

  test('comes after hints, which do not count', async () => {
    sink.answer = (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeProcessing();
      response.writeHead(201).end('made');
    };
    expect(answered(await send())).toMatchObject({ status: 201, body: Buffer.from('made') });
  });

  test('stays compressed', async () => {
    const zipped = gzipSync('x'.repeat(100_000));
    sink.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
    };
    const { headers, body } = answered(await send());
    expect(headers['content-encoding']).toBe('gzip');
    expect(body).toEqual(zipped);
  });
});

describe('of a long answer', () => {
  test('so much is read as was asked for, then the connection ends', async () => {
    const closed = Promise.withResolvers<void>();
    sink.answer = (_request, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'content-length': 1_000_000_000 });
      response.write('a'.repeat(150));
      response.write('b'.repeat(1_000_000));
    };
    const { status, body } = answered(await send({ readMaxBytes: 200 }));
    expect(status).toBe(200);
    expect(body.toString()).toBe('a'.repeat(150) + 'b'.repeat(50));
    await closed.promise;
  });

  test('the bytes asked for are an answer, though the rest never comes', async () => {
    sink.answer = (_request, response) => void response.write('12345');
    expect(answered(await send({ readMaxBytes: 5 })).body.toString()).toBe('12345');
  });

  test('exactly the bytes asked for cost no connection', async () => {
    sink.answer = (_request, response) => void response.end('12345');
    answered(await send({ readMaxBytes: 5 }));
    await connectionsAreFree();
    answered(await send({ readMaxBytes: 5 }));
    expect(sink.connections).toBe(1);
  });

  test('the head alone will do where no byte is asked for', async () => {
    sink.answer = (_request, response) => response.flushHeaders();
    expect(answered(await send({ readMaxBytes: 0 })).body).toHaveLength(0);
  });
});

describe('a peer that stops sending', () => {
  test.each<[string, Sink['answer']]>([
    ['before the head', () => undefined],
    ['within the body', (_request, response) => response.write('some')],
  ])('%s ends the request long before its deadline', async (_what, answer) => {
    sink.answer = answer;
    const failure = 'the server sent nothing for 50 ms';
    expect(await send({ idleTimeoutMs: 50 })).toEqual({ failure, wasSent: true });
  });

  test('does not end it while bytes arrive', async () => {
    sink.answer = (_request, response) => drip(response);
    const failure = 'the response did not end within 3 s';
    expect(await send({ timeoutMs: 3_000, idleTimeoutMs: 2_000 })).toMatchObject({ failure });
  });
});

describe('there is no answer', () => {
  test.each<[string, Sink['answer'], string]>([
    ['without a head', () => undefined, 'no response within 1 s'],
    [
      'with half a head',
      (request) => void request.socket.write('HTTP/1.1 200 OK\r\nX-'),
      'no response within 1 s',
    ],
    [
      'with a head and no body',
      (_request, response) => response.flushHeaders(),
      'the response did not end within 1 s',
    ],
    [
      'with a body that drips on',
      (_request, response) => drip(response),
      'the response did not end within 1 s',
    ],
  ])('%s in time, and the connection ends', async (_what, answer, failure) => {
    const closed = Promise.withResolvers<void>();
    sink.answer = (request, response) => {
      request.socket.on('close', () => closed.resolve());
      return answer(request, response);
    };
    expect(await send({ timeoutMs: 1_000 })).toMatchObject({ failure });
    await closed.promise;
  });

  test.each<[string, string, string]>([
    ['HTTP/1.1 20', 'reset', 'connection reset'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'reset', 'connection reset'],
    [
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
      'end',
      'the connection was closed before the response was complete',
    ],
    ['', 'end', 'the connection was closed before the response was complete'],
    ['SSH-2.0-OpenSSH_10.0\r\n', 'end', 'the response is not HTTP/1.1'],
    [
      `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      'end',
      'the response headers are too large',
    ],
  ])('where the connection brings %j and then: %s', async (text, how, failure) => {
    sink.answer = ({ socket }) => {
      socket.write(text, () => (how === 'reset' ? socket.resetAndDestroy() : socket.end()));
    };
    expect(await send()).toMatchObject({ failure });
    expect(sink.requests).toHaveLength(1);
  });

  test('once the caller gives up, and the connection ends', async () => {
    const giveUp = new AbortController();
    const closed = Promise.withResolvers<void>();
    sink.answer = ({ socket }) => {
      socket.on('close', () => closed.resolve());
      giveUp.abort();
    };
    expect(await send({ signal: giveUp.signal })).toMatchObject({ failure: 'aborted' });
    await closed.promise;
  });

  test('to a caller who gave up before', async () => {
    answered(await send());
    expect(await send({ signal: AbortSignal.abort() })).toMatchObject({ failure: 'aborted' });
    expect(sink.requests).toHaveLength(1);
  });

  test('once the way out is closed', async () => {
    sink.answer = () => undefined;
    const asked = send();
    await sink.next(1);
    await outbound.close();
    expect(await asked).toMatchObject({ failure: 'aborted' });
    expect(await send()).toMatchObject({ failure: 'aborted' });
  });
});

test('an answer leaves no listener behind', async () => {
  const { signal } = new AbortController();
  answered(await send({ signal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
