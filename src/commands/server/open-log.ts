import type { Environment } from '#platform/config/environment.ts';
import { openLogger, type Logger } from '#platform/config/logger.ts';

/** A log on a full disk reports neither success nor failure. */
const FLUSH_MS = 2_000;

export const openLog = ({ log, logLevel }: Environment): Promise<Logger> =>
  openLogger({ style: log ?? (process.stderr.isTTY ? 'pretty' : 'json'), level: logLevel });

/** Settles when the last lines are written, or after 2 s. */
export const flushed = (log: Logger): Promise<void> =>
  new Promise((resolve) => {
    const patience = setTimeout(resolve, FLUSH_MS);
    log.flush(() => {
      clearTimeout(patience);
      setImmediate(resolve);
    });
  });
