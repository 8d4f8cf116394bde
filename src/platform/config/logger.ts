import { pino, type Logger } from 'pino';
import { outageHook } from '../database/outage-log.ts';
import { isRequestLine, requestText } from './request-text.ts';

export type { Logger } from 'pino';

/** Where secrets and personal data may stand in what is logged, at any of two depths. */
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

/** Characters that wait for room; what comes after them is lost. */
const WAITING_MAX = 4 * 1_024 * 1_024;

export interface LogOptions {
  readonly style: 'pretty' | 'json';
  readonly level: string;
}

/** Logs go to standard error: standard output belongs to what a command answers. */
export async function openLogger({ style, level }: LogOptions): Promise<Logger> {
  const redact = { paths: PRIVATE, censor: '[redacted]' };
  const options = { level, redact, base: null, hooks: outageHook };
  if (style === 'json') {
    const destination = openStderr({ sync: false, minLength: 4_096, periodicFlush: 500 });
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

/** Standard error, whose disk may be full: lines are lost then, and the process goes on. */
function openStderr(options: StderrOptions) {
  const destination = pino.destination({ ...options, dest: 2, maxLength: WAITING_MAX });
  // Without a listener an error would end the process, and what is flushed at the exit would be
  // retried without end.
  destination.on('error', () => {
    destination.flushSync = () => undefined;
  });
  return destination;
}
