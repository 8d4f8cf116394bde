import type { Database } from '#platform/database/database.ts';
import type { Log } from '#core/tools.ts';

/** Waits end to the second; asking costs a look at the end of one index. */
const TICK_MS = 250;
const AT_ONCE = 1_000;

interface Ticking {
  readonly database: Pick<Database, 'rows'>;
  readonly clock: () => Date;
  readonly log: Log;
}

/**
 * Has runs go on whose wait is over, for as long as the process lives. Any number of processes may
 * do so: each run is taken by one of them.
 */
export function tickForRuns({ database, clock, log }: Ticking): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  const tick = async () => {
    try {
      while (!stopping.signal.aborted && (await wake(database, clock())) === AT_ONCE) {
        // There are more.
      }
    } catch (error) {
      log.warn({ err: error }, 'workflow runs not woken; trying again');
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
  const [row] = await database.rows<{ woken: number }>(WAKE, [now, AT_ONCE]);
  return row?.woken ?? 0;
}

const WAKE = `select wake_workflow_runs($1, $2) as woken`;
