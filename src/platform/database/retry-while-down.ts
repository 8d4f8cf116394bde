import { MINUTE_MS } from '#lib/duration.ts';
import { sleep } from '#lib/abort.ts';
import { isConflict, isDatabaseAway } from './database-errors.ts';

const AGAIN_MS = 500;
/** Longer than a restart or a failover of the database takes. */
const LONGEST_MS = 10 * MINUTE_MS;

/**
 * Records a result of the outside world that is known to this process only. Retries for ten minutes
 * while the database is down. A lost reply may hide a successful write, so a repeat must change nothing.
 */
export async function retryWhileDown<T>(write: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(isDatabaseAway(error) || isConflict(error)) || performance.now() > until) {
        throw error;
      }
    }
    // The timer does not keep an ending process alive.
    await sleep(AGAIN_MS, undefined, { ref: false });
  }
}
