import { format } from 'node:util';
import type { Logger } from './logger.ts';

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
