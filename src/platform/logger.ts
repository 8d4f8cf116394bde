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

export interface LogOptions {
  readonly style: 'pretty' | 'json';
  readonly level: string;
}

/** Logs go to standard error: standard output belongs to what a command answers. */
export async function openLogger({ style, level }: LogOptions): Promise<Logger> {
  const options = { level, redact: { paths: PRIVATE, censor: '[redacted]' }, base: null };
  if (style === 'json') {
    return pino(
      options,
      pino.destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: 500 }),
    );
  }
  const { PinoPretty } = await import('pino-pretty');
  const colorize = process.stderr.isTTY && !process.env['NO_COLOR'];
  return pino(
    options,
    PinoPretty({ destination: 2, sync: true, colorize, ignore: 'pid,hostname' }),
  );
}
