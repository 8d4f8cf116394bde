import type { Socket } from 'node:net';
import type { OutboundRequest } from '#core/outbound.ts';
import type { Target } from './guard.ts';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers that decide where a request ends and what becomes of its connection. */
const OWN =
  /^(?:connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Returns the head of a request, as Latin-1. Throws for a header that the client sets itself, and for a
 * header with a line break, which could add another header or a second request.
 */
export function requestHead(
  { host, path }: Target,
  { method, headers, body }: OutboundRequest,
  connection: 'keep-alive' | 'close',
): string {
  let fields = '';
  let named = host;
  // Hot: bench deliver-webhooks. A loop over the members, without copies.
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!TOKEN.test(name) || INVALID.test(value) || OWN.test(name)) {
      throw new Error(`invalid ${name} header`);
    }
    if (name.length === HOST.length && name.toLowerCase() === HOST) {
      named = value;
    } else {
      fields += `${name}: ${value}\r\n`;
    }
  }
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const size = body === undefined && HAS_BODY.has(method) ? 'content-length: 0\r\n' : length;
  return `${method} ${path} HTTP/1.1\r\nhost: ${named}\r\nconnection: ${connection}\r\n${fields}${size}\r\n`;
}

const HOST = 'host';
const HAS_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * One write, if the body is text: each system call is noticeable (bench: deliver-webhooks). Receivers
 * read a head as Latin-1, and such a body as UTF-8.
 */
export function writeRequest(socket: Socket, head: string, body: OutboundRequest['body']): void {
  if (typeof body === 'string' && isAscii(head)) {
    const text = head + body;
    socket.write(text, isAscii(text) ? 'latin1' : 'utf8');
  } else {
    socket.cork();
    socket.write(head, 'latin1');
    if (body !== undefined) {
      socket.write(body);
    }
    socket.uncork();
  }
}
