import type { Database } from '#platform/database/database.ts';
import type { Log } from '#core/tools.ts';

/** Waits end within a second. Each tick reads one end of two indexes. */
const TICK_MS = 250;
const BATCH = 1_000;

interface Ticking {
  readonly database: Pick<Database, 'rows'>;
  readonly clock: () => Date;
  readonly log: Log;
}

/**
 * Continues runs whose wait is over, and those of the backlog for which the queue has room, until it is
 * stopped. Any number of processes may do this: each run is continued by one of them.
 */
export function tickForRuns({ database, clock, log }: Ticking): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  const tick = async () => {
    try {
      while (!stopping.signal.aborted && (await wake(database, clock())) === BATCH) {
        // More waits may have ended, or more runs have room.
      }
    } catch (error) {
      log.warn({ err: error }, 'waiting workflow runs not continued; trying again');
    }
    plan();
  };
  const plan = () => {
    if (!stopping.signal.aborted) {
      timer = setTimeout(() => {
        ticking = tick();
      }, TICK_MS);
    }
  };
  plan();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await ticking;
    },
  };
}

async function wake(database: Ticking['database'], now: Date): Promise<number> {
  const [row] = await database.rows<{ woken: number }>(WAKE, [now, BATCH]);
  return row?.woken ?? 0;
}

const WAKE = `select wake_workflow_runs($1, $2) as woken`;
