import { pino, type Logger } from 'pino';
import { outageHook } from '../database/outage-log.ts';
import { format } from 'node:util';

export type { Logger } from 'pino';

/** Fields of log entries that may hold secrets or personal data, at two depths. */
const PRIVATE = [
  'authorization',
  'key',
  'secret',
  'token',
  'password',
  'email',
  'phone',
  'firstName',
  'lastName',
  'bodyText',
  'bodyHtml',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Characters that may wait for a full disk; further lines are lost. */
const WAITING_MAX = 4 * 1_024 * 1_024;

/** Characters per write; pino allows fewer than 16,384. Writes of 4,096 took 6 % of a busy server. */
const CHUNK = 12_288;

export interface LogOptions {
  readonly style: 'pretty' | 'json';
  readonly level: string;
}

/** Logs go to standard error: standard output holds the output of commands. */
export async function openLogger({ style, level }: LogOptions): Promise<Logger> {
  const redact = { paths: PRIVATE, censor: '[redacted]' };
  const options = { level, redact, base: null, hooks: outageHook };
  if (style === 'json') {
    const destination = openStderr({ sync: false, minLength: CHUNK, periodicFlush: 500 });
    return pino(options, destination);
  }
  const { prettyFactory } = await import('pino-pretty');
  const colorize = process.stderr.isTTY && !process.env['NO_COLOR'];
  const pretty = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  const stderr = openStderr({ sync: true });
  return pino(options, {
    write(text: string) {
      const line = JSON.parse(text) as Record<string, unknown>;
      stderr.write(isRequestLine(line) ? `${requestText(line)}\n` : pretty(line));
    },
  });
}

interface StderrOptions {
  readonly sync: boolean;
  readonly minLength?: number;
  readonly periodicFlush?: number;
}

/** Standard error. If its disk is full, lines are lost and the process goes on. */
function openStderr(options: StderrOptions) {
  const destination = pino.destination({ ...options, dest: 2, maxLength: WAITING_MAX });
  // Without a listener an error would end the process, and the flush at exit would be retried forever.
  destination.on('error', () => {
    destination.flushSync = () => undefined;
  });
  return destination;
}

/** One request as its log line describes it. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The pattern, not the path: paths contain ids. */
  readonly route: string;
  /** Of a path that does not exist. */
  readonly path?: string;
  readonly status: number;
  readonly ms: number;
  readonly keyId?: string | undefined;
  readonly keyPrefix?: string | undefined;
  readonly userId?: string | undefined;
  readonly subAccountId?: string | undefined;
  readonly address?: string | undefined;
}

/** A request line as pino writes it; a refusal has a code and a reason. */
interface WrittenRequestLine extends RequestLine {
  readonly time: number;
  readonly code?: string;
  readonly reason?: string;
}

type LogLine = Readonly<Record<string, unknown>>;

export const isRequestLine = (line: LogLine): line is LogLine & WrittenRequestLine =>
  line['msg'] === 'request' && typeof line['route'] === 'string';

/** `14:14:19 POST /api/v1/contacts 400 5 ms VALIDATION_ERROR body/name is required …` */
export function requestText(line: WrittenRequestLine): string {
  const {
    time,
    method,
    route,
    path = route,
    status,
    ms,
    code,
    reason,
    keyPrefix,
    address,
    requestId,
  } = line;
  const at = new Date(time).toTimeString().slice(0, 8);
  // The message of a campaign's refusal begins with its code.
  const isNamed = code === undefined || reason?.startsWith(`${code}: `);
  const refusal = isNamed ? reason : `${code}: ${reason}`;
  return [
    at,
    method,
    path,
    status,
    `${Math.round(ms)} ms`,
    refusal,
    keyPrefix && `key ${keyPrefix}…`,
    address && `from ${address}`,
    `request ${requestId}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** graphile-worker calls `console.trace` for errors that it reports to its logger as well. */
const LEVELS = { error: 'error', warn: 'warn', trace: 'debug' } as const;
const NAMES = ['error', 'warn', 'trace'] as const;

/**
 * Sends what libraries write to the console to the log, so that each of its lines is one JSON value.
 * Returns a function that undoes this.
 */
export function logConsole(log: Logger): () => void {
  const before = NAMES.map((name) => [name, console[name]] as const);
  for (const name of NAMES) {
    console[name] = (...parts: readonly unknown[]) =>
      log[LEVELS[name]]({ from: 'console' }, format(...parts));
  }
  return () => {
    for (const [name, original] of before) {
      console[name] = original;
    }
  };
}
