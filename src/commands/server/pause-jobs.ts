import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Environment } from '#platform/config/environment.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { PAUSE_TABLE, readPause } from '#platform/queue/pause.ts';
import type { Service } from './open-service.ts';
import { startJobs, type Jobs } from './start-jobs.ts';

/** Of jobs that run when they are to be held. */
const FINISH_MS = 30_000;

interface PauseJobsInput {
  readonly concurrency: number;
  /** Begins held: does nothing before the next `frontdesk admin release`. */
  readonly startPaused: boolean;
}

export interface HeldJobs extends Jobs {
  /** Why nothing is done; undefined while jobs are. */
  heldFor(): string | undefined;
}

/** Runs jobs until the process ends, except while the installation is held. */
export function startJobsUnlessHeld(
  service: Service,
  environment: Environment & { readonly databaseUrl: string },
  { concurrency, startPaused }: PauseJobsInput,
  lifecycle: Lifecycle,
): Promise<HeldJobs> {
  const start = (inner: Lifecycle) => startJobs(service, environment, concurrency, inner);
  return startUnlessHeld(
    { ...service, pollInterval: environment.pollInterval, startPaused },
    start,
    lifecycle,
  );
}

type PauseCheck = Pick<Service, 'log' | 'database' | 'changes'> &
  Pick<Environment, 'pollInterval'> &
  Pick<PauseJobsInput, 'startPaused'>;

/**
 * Starts the jobs unless the installation is held, and stops them whenever it is: no job runs, no event
 * is published, no mailbox is read. It also polls, so that a lost notice does no harm.
 */
export async function startUnlessHeld(
  { log, database, changes, pollInterval, startPaused }: PauseCheck,
  start: (lifecycle: Lifecycle) => Promise<Jobs>,
  lifecycle: Lifecycle,
): Promise<HeldJobs> {
  const releasesSeen = startPaused ? (await readPause(database)).releases : undefined;
  const parts = switchable(start, log, lifecycle);
  let held: string | undefined;

  const look = async () => {
    const { heldSince, reason, releases } = await readPause(database);
    const why = heldSince
      ? (reason ?? 'held')
      : releases === releasesSeen
        ? 'started with --hold'
        : undefined;
    if (why === undefined) {
      await parts.start();
      held = undefined;
    } else {
      await parts.stop();
      if (held === undefined) {
        log.warn({ why, heldSince }, 'held: nothing is done before frontdesk admin release');
      }
      held = why;
    }
  };
  await look();
  const stopping = new AbortController();
  const bell = newWakeSignal();
  changes.onChange(PAUSE_TABLE, bell.notify);
  // At once again: a hold that came while the jobs were started has not waited for them.
  bell.notify();
  const looking = (async () => {
    for (;;) {
      await bell.wait(pollInterval);
      if (stopping.signal.aborted) {
        return;
      }
      await look().catch((error: unknown) => {
        log.warn({ err: error }, 'jobs neither started nor held; trying again');
      });
    }
  })();
  lifecycle.onStop('jobs', async (hurry) => {
    stopping.abort();
    bell.notify();
    await looking;
    await parts.end(hurry);
  });
  return { ...parts.jobs, heldFor: () => held };
}

/** Jobs that can be started and stopped again and again. */
function switchable(
  start: (lifecycle: Lifecycle) => Promise<Jobs>,
  log: Logger,
  lifecycle: Lifecycle,
) {
  let running: Parts | undefined;
  let current: Jobs | undefined;
  return {
    jobs: {
      isTaking: () => current?.isTaking() ?? true,
      lanes: () => current?.lanes() ?? {},
    },
    async start() {
      running ??= await startParts(lifecycle, async (inner) => {
        current = await start(inner);
      });
    },
    async stop() {
      const ending = running;
      // Before they stop: parts whose stop fails are stopped all the same, and must not be kept.
      running = undefined;
      current = undefined;
      await ending?.stop(AbortSignal.timeout(FINISH_MS)).catch((error: unknown) => {
        log.error({ err: error }, 'held jobs did not stop as they should');
      });
    },
    end: async (hurry: AbortSignal) => running?.stop(hurry),
  };
}

type Stop = Parameters<Lifecycle['onStop']>[1];

/** Parts of a process that end before it does. */
interface Parts {
  stop(hurry: AbortSignal): Promise<void>;
}

/** Starts parts that can be stopped by themselves; what was started before a failure is stopped. */
async function startParts(
  { end }: Lifecycle,
  start: (lifecycle: Lifecycle) => Promise<unknown>,
): Promise<Parts> {
  const stops: Stop[] = [];
  const parts: Parts = {
    async stop(hurry) {
      const failures: unknown[] = [];
      for (const stop of stops.splice(0).toReversed()) {
        await stop(hurry).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) {
        throw new AggregateError(failures, 'parts of the jobs did not stop as they should');
      }
    },
  };
  try {
    await start({ end, onStop: (_, stop) => void stops.push(stop) });
    return parts;
  } catch (error) {
    await parts.stop(AbortSignal.abort()).catch(() => undefined);
    throw error;
  }
}
