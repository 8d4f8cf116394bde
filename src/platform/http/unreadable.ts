import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault } from '#kit/fault.ts';
import { baseHeaders } from './headers.ts';
import { errorText } from './refusal.ts';

const SAYS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};
const OTHERWISE = ['400 Bad Request', 'this is not HTTP/1.1'] as const;

/** Answers what Node could not read as a request, in the envelope, and ends the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, message] = SAYS[error.code ?? ''] ?? OTHERWISE;
  const text = errorText(new Fault('VALIDATION_ERROR', message));
  const headers = {
    ...baseHeaders(crypto.randomUUID()),
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${text}`, () => socket.destroy());
}
