import { pino, type Logger } from 'pino';

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
  const options = { level, redact: { paths: PRIVATE, censor: '[redacted]' }, base: null };
  if (style === 'json') {
    const destination = pino.destination({
      dest: 2,
      sync: false,
      minLength: 4_096,
      periodicFlush: 500,
      maxLength: WAITING_MAX,
    });
    // A disk that is full takes no lines. Without a listener that would end the process, and what is
    // flushed when it exits would be tried for ever.
    destination.on('error', () => {
      destination.flushSync = () => undefined;
    });
    return pino(options, destination);
  }
  const { PinoPretty } = await import('pino-pretty');
  const colorize = process.stderr.isTTY && !process.env['NO_COLOR'];
  return pino(
    options,
    PinoPretty({ destination: 2, sync: true, colorize, ignore: 'pid,hostname' }),
  );
}
