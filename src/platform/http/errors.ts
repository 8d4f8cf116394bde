import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault, type FaultCode } from '#core/fault.ts';
import type { Logger } from '../config/logger.ts';
import { databaseRefusal, isDatabaseAway, isOutOfMemory } from '../database/database-errors.ts';
import { baseHeaders, errorText, type Headers } from './response.ts';

const RETRY_AFTER_SECONDS = '5';

/** By SQLSTATE: a statement timeout, a read-only server, a full disk, no memory. The server itself responds. */
const AWAY: Readonly<Record<string, string>> = {
  '57014': 'the database took too long',
  '25006': 'the database accepts no changes',
  '53100': 'the database accepts no changes',
  '53200': 'the database has no memory left for this request',
};

/** Returns the Fault of a thrown error. An unexpected error is logged and becomes INTERNAL_ERROR. */
export function faultOf(error: unknown, log: Logger, requestId: string): Fault {
  if (error instanceof Fault) {
    return error;
  }
  const isReplaced = isOwnerMissing(error);
  if (isReplaced || isDatabaseAway(error) || isOutOfMemory(error)) {
    const message = isReplaced
      ? 'the data of the sub-account was just removed or replaced'
      : (AWAY[databaseRefusal(error)?.code ?? ''] ?? 'the database cannot be reached');
    log.warn({ err: error, requestId }, message);
    return new Fault('SERVICE_UNAVAILABLE', message, undefined, {
      'retry-after': RETRY_AFTER_SECONDS,
    });
  }
  log.error({ err: error, requestId }, 'request failed');
  return new Fault('INTERNAL_ERROR', `internal error; report the request id ${requestId}`);
}

/**
 * Returns whether a sub-account was removed during the request, as by a restore. A repeated request finds
 * its key gone, too.
 */
const isOwnerMissing = (error: unknown): boolean => {
  const { code, constraint = '' } = databaseRefusal(error) ?? {};
  return code === '23503' && constraint.endsWith('_sub_account_id_fkey');
};

/** Returns a function that logs an error of a download, too late for a response: its status has been sent. */
export const brokenDownloads =
  (log: Logger, { requestId }: { readonly requestId: string }) =>
  (error: unknown): void => {
    const level = error instanceof Fault || isDatabaseAway(error) ? 'warn' : 'error';
    log[level]({ err: error, requestId }, 'download broken off');
  };

/** Returns the header that links a refusal to its section of the documentation (RFC 8288). */
export function helpLink({ code, details }: Pick<Fault, 'code' | 'details'>): Headers {
  const { reason }: { readonly reason?: unknown } = details ?? {};
  const anchor = typeof reason === 'string' ? reason : code.toLowerCase();
  return { link: `</docs/errors#${anchor}>; rel="help"` };
}

const PARSE_ERRORS: Readonly<Record<string, readonly [code: FaultCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'the request took too long to arrive'],
};
const NOT_HTTP = ['VALIDATION_ERROR', 'this is not HTTP/1.1'] as const;

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Refuses a request that Node could not parse, with an error envelope, and ends the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  const [code, message] = PARSE_ERRORS[error.code ?? ''] ?? NOT_HTTP;
  refuseOnSocket(socket, new Fault(code, message));
}

/** Refuses CONNECT, for which Node has no response object: this server is not a proxy. */
export function refuseConnect(_request: IncomingMessage, socket: Duplex): void {
  const message = 'CONNECT is not supported: this server is not a proxy';
  refuseOnSocket(socket, new Fault('METHOD_NOT_ALLOWED', message, undefined, { allow: '' }));
}

/** Refuses an `Expect` header other than `100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const message = 'the only expectation supported is 100-continue';
  const fault = new Fault('EXPECTATION_FAILED', message);
  const text = errorText(fault);
  response.writeHead(fault.status, headersOf(fault, text)).end(text);
}

function refuseOnSocket(socket: Duplex, fault: Fault): void {
  const text = errorText(fault);
  const headers = Object.entries(headersOf(fault, text));
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${fault.status} ${REASONS[fault.status] ?? ''}`, ...lines].join('\r\n');
  socket.on('error', () => undefined);
  socket.end(`${head}\r\n\r\n${text}`, () => void socket.destroy());
}

const headersOf = (fault: Fault, text: string): Headers => ({
  ...baseHeaders(crypto.randomUUID()),
  ...helpLink(fault),
  ...fault.headers,
  'content-length': String(Buffer.byteLength(text)),
  connection: 'close',
});
