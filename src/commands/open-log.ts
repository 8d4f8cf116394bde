import type { Environment } from '#platform/environment.ts';
import { openLogger, type Logger } from '#platform/logger.ts';

export const openLog = ({ log, logLevel }: Environment): Promise<Logger> =>
  openLogger({ style: log ?? (process.stderr.isTTY ? 'pretty' : 'json'), level: logLevel });

/** Settles when the last lines are out, or cannot come out any more. */
export const flushed = (log: Logger): Promise<void> =>
  new Promise((resolve) => {
    log.flush(() => setImmediate(resolve));
  });
