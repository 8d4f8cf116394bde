import { Logger as QueueLogger } from 'graphile-worker';
import type { Logger } from '../config/logger.ts';

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The queue logs each job at its info level, which is detail here. Errors keep their cause. */
export const queueLogger = (log: Logger) =>
  new QueueLogger((scope) => (level, message, meta) => {
    const error = meta?.['error'];
    const about = { ...scope, ...(error instanceof Error && { err: error }) };
    log[ADVICE.test(message) ? 'debug' : LEVELS[level]](about, message);
  });

/** Advice that does not apply: jobs wait for peers, and few are fetched to leave some to other workers. */
const ADVICE = /having maxPoolSize|Your job batch size/;
