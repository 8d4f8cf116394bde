/** What a connection brings for one request, as far as it was received. */
export interface Response {
  phase: Phase;
  /** The start of a head or of a line whose rest has not arrived, as Latin-1. */
  text: string;
  /** Bytes that are missing of the body or of the chunk. */
  left: number;
  /** Characters of interim responses (1xx) and of trailers. */
  extra: number;
  status: number;
  /** By lower-case name; the first value of a repeated header. */
  headers: Record<string, string>;
  /** Whether the peer keeps the connection after the response. */
  isKept: boolean;
}

type Phase = 'head' | 'body' | 'rest' | 'chunk' | Line | 'complete';
/** Phases that read lines: a chunk's size, the end of its data, and trailers. */
type Line = 'size' | 'chunk-end' | 'trailers';

export const newResponse = (): Response => ({
  phase: 'head',
  text: '',
  left: 0,
  extra: 0,
  status: 0,
  headers: {},
  isKept: false,
});

/** The peer sent something that is not a response. The message is for the log of the sub-account. */
export class ResponseError extends Error {}

const notHttp = () => new ResponseError('the response is not HTTP/1.1');

/**
 * The most characters of a head with the interim ones before it, of a line between chunks, and of all
 * trailers and extensions. Interim heads and trailers without end would keep the process busy.
 */
const HEAD_MAX = 16_384;

/**
 * Reads the next bytes of a response (RFC 9112) and passes those of its body to `take`. Throws a
 * `ResponseError` if they are no response. Responses of receivers fit into
 * one piece, so this costs a third of a parser that is called for every part (bench: deliver-webhooks).
 */
export function receive(response: Response, bytes: Buffer, take: (part: Buffer) => void): void {
  let at = 0;
  while (at < bytes.length) {
    at = readPart(response, bytes, at, take);
  }
}

function readPart(
  response: Response,
  bytes: Buffer,
  at: number,
  take: (part: Buffer) => void,
): number {
  switch (response.phase) {
    case 'head':
      return readHead(response, bytes, at);
    case 'rest':
      take(at === 0 ? bytes : bytes.subarray(at));
      return bytes.length;
    case 'body':
    case 'chunk':
      return readData(response, bytes, at, take);
    case 'complete':
      // Some servers send a body with 204. What follows a response belongs to none.
      response.isKept = false;
      return bytes.length;
    case 'size':
    case 'chunk-end':
    case 'trailers':
      return readLine(response, bytes, at);
  }
}

/** Returns whether the end of the connection is the end of the response. */
export const endsWithConnection = ({ phase }: Response): boolean => phase === 'rest';

function readHead(response: Response, bytes: Buffer, at: number): number {
  const before = response.text.length;
  const max = HEAD_MAX - response.extra;
  const text = response.text + bytes.toString('latin1', at, at + max + HEAD_END.length);
  const end = text.indexOf(HEAD_END);
  if (!isStartOfHead(text)) {
    throw notHttp();
  }
  if ((end === -1 ? text.length : end) > max) {
    throw new ResponseError('the response headers are too large');
  }
  if (end === -1) {
    response.text = text;
    return bytes.length;
  }
  response.text = '';
  readFields(response, text.slice(0, end + LINE_END.length));
  if (response.phase === 'head') {
    response.extra += end + HEAD_END.length;
  }
  return at + end + HEAD_END.length - before;
}

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const START = 'HTTP/1.';

const isStartOfHead = (text: string): boolean => text.startsWith(START) || START.startsWith(text);

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Line breaks that are none, and the byte that no header contains. */
const INVALID = /\0|\r(?!\n)|(?<!\r)\n/;
/** A value that continues on the next line, as old servers write it. */
const FOLD = /\r\n[ \t]+/g;

/** The headers that decide where a response ends. */
interface Framing {
  length: string | undefined;
  encoding: string;
  connection: string;
}

function readFields(response: Response, head: string): void {
  const text = head.includes('\r\n ') || head.includes('\r\n\t') ? head.replace(FOLD, ' ') : head;
  const first = text.indexOf(LINE_END);
  const [, minor, digits] = STATUS_LINE.exec(text.slice(0, first)) ?? [];
  if (digits === undefined || INVALID.test(text)) {
    throw notHttp();
  }
  const framing: Framing = { length: undefined, encoding: '', connection: '' };
  response.headers = {};
  for (let at = first + LINE_END.length; at < text.length;) {
    const end = text.indexOf(LINE_END, at);
    readField(response.headers, framing, text.slice(at, end));
    at = end + LINE_END.length;
  }
  response.status = Number(digits);
  if (response.status >= 200) {
    frame(response, framing, minor === '1');
  } else if (response.status === 101) {
    throw notHttp();
  }
}

function readField(headers: Record<string, string>, framing: Framing, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!TOKEN.test(name)) {
    throw notHttp();
  }
  const value = line.slice(colon + 1).trim();
  if (!Object.hasOwn(headers, name)) {
    headers[name] = value;
  }
  if (name === 'content-length') {
    if (framing.length !== undefined || !/^\d{1,15}$/.test(value)) {
      throw notHttp();
    }
    framing.length = value;
  } else if (name === 'transfer-encoding') {
    framing.encoding += `,${value}`;
  } else if (name === 'connection') {
    framing.connection += `,${value}`;
  }
}

function frame(response: Response, { length, encoding, connection }: Framing, is11: boolean): void {
  response.isKept = is11 && !/\bclose\b/i.test(connection);
  if (length !== undefined && encoding !== '') {
    throw notHttp();
  }
  response.left = Number(length ?? 0);
  if (response.status === 204 || response.status === 304 || length === '0') {
    response.phase = 'complete';
  } else if (length !== undefined) {
    response.phase = 'body';
  } else if (/(?:^|[, \t])chunked[ \t]*$/i.test(encoding)) {
    response.phase = 'size';
  } else {
    response.phase = 'rest';
    response.isKept = false;
  }
}

function readData(
  response: Response,
  bytes: Buffer,
  at: number,
  take: (part: Buffer) => void,
): number {
  const end = Math.min(bytes.length, at + response.left);
  take(bytes.subarray(at, end));
  response.left -= end - at;
  if (response.left === 0) {
    response.phase = response.phase === 'chunk' ? 'chunk-end' : 'complete';
  }
  return end;
}

function readLine(response: Response, bytes: Buffer, at: number): number {
  const end = bytes.indexOf('\n', at, 'latin1');
  const next = end === -1 ? bytes.length : end + 1;
  response.text += bytes.toString('latin1', at, next);
  if (response.text.length > HEAD_MAX) {
    throw notHttp();
  }
  if (end !== -1) {
    const line = response.text;
    response.text = '';
    endLine(response, line);
  }
  return next;
}

const CHUNK_SIZE = /^([0-9a-f]{1,8})([ \t]*(?:;[^\r\n]*)?)\r\n$/i;

/** Some servers write the sizes of all chunks with this many characters. */
const PADDING = 8;

function endLine(response: Response, line: string): void {
  if (response.phase === 'size') {
    const [, size, extension = ''] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) {
      throw notHttp();
    }
    countExtra(response, Math.max(0, extension.length - PADDING));
    response.left = Number.parseInt(size, 16);
    response.phase = response.left === 0 ? 'trailers' : 'chunk';
  } else if (response.phase === 'trailers') {
    countExtra(response, line.length);
    response.phase = line === LINE_END ? 'complete' : 'trailers';
  } else if (line === LINE_END) {
    response.phase = 'size';
  } else {
    throw notHttp();
  }
}

/** Trailers and extensions of chunks have as much room as the headers, together with those. */
function countExtra(response: Response, bytes: number): void {
  response.extra += bytes;
  if (response.extra > HEAD_MAX) {
    throw notHttp();
  }
}

/** Peers that announce how long they keep a connection close it in time, minus the way there. */
const ANNOUNCED = /(?:^|[, ])timeout=(\d{1,9})/i;
const ANNOUNCED_LESS_MS = 2_000;

/** Returns for how long the peer keeps the connection; Infinity if it does not say. */
export function announcedKeepMs({ headers }: Response): number {
  const [, seconds] = ANNOUNCED.exec(headers['keep-alive'] ?? '') ?? [];
  return Number(seconds ?? Infinity) * 1_000 - ANNOUNCED_LESS_MS;
}
