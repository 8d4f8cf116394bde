import { describe, expect, test } from 'vitest';
import {
  endsWithConnection,
  newResponse,
  receive,
  ResponseError,
  type Response,
} from '#platform/outbound/response.ts';

/** Receives a text in pieces of this size. */
function received(text: string, size = text.length): { response: Response; body: string } {
  const response = newResponse();
  const bytes = Buffer.from(text, 'latin1');
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    receive(response, bytes.subarray(at, at + size), (part) => parts.push(part.toString('latin1')));
  }
  return { response, body: parts.join('') };
}

const lines = (...all: string[]): string => all.join('\r\n');

const RESPONSES: [string, string, object][] = [
  [
    'with a length',
    lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'X-A:  b ', '', 'hello'),
    {
      body: 'hello',
      response: { phase: 'complete', isKept: true, headers: { 'content-length': '5', 'x-a': 'b' } },
    },
  ],
  [
    'without a body',
    lines('HTTP/1.1 204', 'Content-Length: 7', '', ''),
    { body: '', response: { status: 204, phase: 'complete', isKept: true } },
  ],
  [
    'of no bytes',
    lines('HTTP/1.1 404 Not Found', 'content-length: 0', '', ''),
    { response: { status: 404, phase: 'complete' } },
  ],
  [
    'in chunks, with an extension and a trailer',
    lines(
      'HTTP/1.1 200 OK',
      'Transfer-Encoding: chunked',
      '',
      '3;a=b',
      'a\r\n',
      '0A',
      '0123456789',
      '0',
      'X-T: 1',
      '',
      '',
    ),
    { body: 'a\r\n0123456789', response: { phase: 'complete', isKept: true } },
  ],
  [
    'after two hints',
    lines(
      'HTTP/1.1 100 Continue',
      '',
      'HTTP/1.1 103 Early Hints',
      'Link: <a>',
      '',
      'HTTP/1.1 201 Created',
      'Content-Length: 1',
      '',
      'x',
    ),
    { body: 'x', response: { status: 201, phase: 'complete', headers: { 'content-length': '1' } } },
  ],
  [
    'that lasts until the connection ends',
    lines('HTTP/1.1 200 OK', '', 'a', 'b'),
    { body: 'a\r\nb', response: { phase: 'rest', isKept: false } },
  ],
  [
    'compressed until the connection ends',
    lines('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip', '', 'a'),
    { body: 'a', response: { phase: 'rest' } },
  ],
  [
    'after which the connection ends',
    lines('HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: Keep-Alive, Close', '', ''),
    { response: { phase: 'complete', isKept: false } },
  ],
  [
    'with bytes after its end',
    lines('HTTP/1.1 204 No Content', '', 'HTTP/1.1 204 OK', '', ''),
    { body: '', response: { status: 204, phase: 'complete', isKept: false } },
  ],
  [
    'of HTTP/1.0',
    lines('HTTP/1.0 200 OK', 'Content-Length: 0', '', ''),
    { response: { phase: 'complete', isKept: false } },
  ],
  [
    'with a value over two lines, and a repeated header',
    lines('HTTP/1.1 200 OK', 'X-A: b', '  c', 'X-A: d', 'Content-Length: 0', '', ''),
    { response: { headers: { 'x-a': 'b c', 'content-length': '0' } } },
  ],
  [
    'with names that objects have',
    lines('HTTP/1.1 204 No Content', 'constructor: a', 'toString: b', '', ''),
    { response: { headers: { constructor: 'a', tostring: 'b' } } },
  ],
];

describe('a response', () => {
  test.each(RESPONSES)('%s', (_what, text, expected) => {
    expect(received(text)).toMatchObject(expected);
  });

  test.each(RESPONSES)('%s, in pieces of any size', (_what, text) => {
    const whole = received(text);
    for (let size = 1; size < text.length; size += 1) {
      expect(received(text, size)).toEqual(whole);
    }
  });

  test('ends with the connection only if nothing else ends it', () => {
    expect(endsWithConnection(received(lines('HTTP/1.1 200 OK', '', 'a')).response)).toBe(true);
    const short = lines('HTTP/1.1 200 OK', 'Content-Length: 3', '', 'a');
    expect(endsWithConnection(received(short).response)).toBe(false);
  });
});

describe('no response', () => {
  const OK = 'HTTP/1.1 200 OK';
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_10.0\r\n'],
    ['another version', lines('HTTP/2.0 200 OK', '', '')],
    ['a status that is none', lines('HTTP/1.1 20x OK', '', '')],
    ['a change of protocol', lines('HTTP/1.1 101 Switching Protocols', '', '')],
    ['a header without a colon', lines(OK, 'nonsense', '', '')],
    ['a header with a space in its name', lines(OK, 'X A: b', '', '')],
    ['a space before the colon', lines(OK, 'Content-Length : 5', '', 'hello')],
    ['a bare line feed', lines(OK, 'X-A: b\nContent-Length: 0', '', '')],
    ['a bare carriage return', lines(OK, 'X-A: b\rc', '', '')],
    ['a zero byte', lines(OK, 'X-A: \0', '', '')],
    ['two lengths', lines(OK, 'Content-Length: 1', 'Content-Length: 1', '', 'a')],
    ['a negative length', lines(OK, 'Content-Length: -1', '', '')],
    ['a length and chunks', lines(OK, 'Content-Length: 1', 'Transfer-Encoding: chunked', '', '')],
    ['a chunk without a size', lines(OK, 'Transfer-Encoding: chunked', '', 'x', '')],
    ['a chunk that is longer', lines(OK, 'Transfer-Encoding: chunked', '', '1', 'ab', '')],
  ])('%s', (_what, text) => {
    expect(() => received(text)).toThrow(new ResponseError('the response is not HTTP/1.1'));
    expect(() => received(text, 1)).toThrow(new ResponseError('the response is not HTTP/1.1'));
  });

  test.each([1, 1_000, 100_000])('headers that never end, in pieces of %i bytes', (size) => {
    const text = `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}`;
    expect(() => received(text, size)).toThrow('the response headers are too large');
  });

  test.each([1_000, 100_000])('interim responses that never end, in pieces of %i', (size) => {
    const text = 'HTTP/1.1 100 \r\n\r\n'.repeat(5_000);
    expect(() => received(text, size)).toThrow('the response headers are too large');
  });

  test.each([';a=b'.padEnd(1_000, 'x'), ' '.repeat(1_000)])(
    'chunks of one byte with as much room around their sizes as there is',
    (extension) => {
      const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
      const chunk = `1${extension}\r\na\r\n`;
      expect(() => received(head + chunk.repeat(30))).toThrow('is not HTTP/1.1');
    },
  );

  test('trailers that never end', () => {
    const head = lines(OK, 'Transfer-Encoding: chunked', '', '0', '');
    expect(() => received(head + 'a: b\r\n'.repeat(5_000), 1_000)).toThrow('is not HTTP/1.1');
  });
});
