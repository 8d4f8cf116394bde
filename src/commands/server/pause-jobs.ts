import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Environment } from '#platform/config/environment.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { PAUSE_TABLE, readPause } from '#platform/queue/pause.ts';
import type { Service } from './open-service.ts';
import { startJobs, type Jobs } from './start-jobs.ts';

/** How long running jobs may finish before a pause. */
const FINISH_MS = 30_000;

interface PauseJobsInput {
  readonly concurrency: number;
  /** Starts paused, until the next `frontdesk admin release`. */
  readonly startPaused: boolean;
}

export interface PausableJobs extends Jobs {
  /** Returns why the jobs are paused; undefined while they run. */
  pauseReason(): string | undefined;
}

/** Runs jobs until the process ends, except while they are paused. */
export function startJobsUnlessPaused(
  service: Service,
  environment: Environment & { readonly databaseUrl: string },
  { concurrency, startPaused }: PauseJobsInput,
  lifecycle: Lifecycle,
): Promise<PausableJobs> {
  const start = (inner: Lifecycle) => startJobs(service, environment, concurrency, inner);
  return startUnlessPaused(
    { ...service, pollInterval: environment.pollInterval, startPaused },
    start,
    lifecycle,
  );
}

type PauseCheck = Pick<Service, 'log' | 'database' | 'changes'> &
  Pick<Environment, 'pollInterval'> &
  Pick<PauseJobsInput, 'startPaused'>;

/**
 * Starts the jobs, and stops them while the workers are paused: no job runs, no event is published and
 * no mailbox is read. It also polls, in case a notification is lost.
 */
export async function startUnlessPaused(
  { log, database, changes, pollInterval, startPaused }: PauseCheck,
  start: (lifecycle: Lifecycle) => Promise<Jobs>,
  lifecycle: Lifecycle,
): Promise<PausableJobs> {
  const releasesSeen = startPaused ? (await readPause(database)).releases : undefined;
  const parts = switchable(start, log, lifecycle);
  let paused: string | undefined;

  const check = async () => {
    const { heldSince, reason, releases } = await readPause(database);
    const why = heldSince
      ? (reason ?? 'paused')
      : releases === releasesSeen
        ? 'started with --hold'
        : undefined;
    if (why === undefined) {
      await parts.start();
      paused = undefined;
    } else {
      await parts.stop();
      if (paused === undefined) {
        log.warn({ why, heldSince }, 'jobs are paused until frontdesk admin release');
      }
      paused = why;
    }
  };
  await check();
  const stopping = new AbortController();
  const wakeSignal = newWakeSignal();
  changes.watch(PAUSE_TABLE, wakeSignal.notify);
  // Check again at once: workers may have been paused while the jobs were starting.
  wakeSignal.notify();
  const checking = (async () => {
    for (;;) {
      await wakeSignal.wait(pollInterval);
      if (stopping.signal.aborted) {
        return;
      }
      await check().catch((error: unknown) => {
        log.warn({ err: error }, 'could not read whether jobs are paused; trying again');
      });
    }
  })();
  lifecycle.onStop('jobs', async (hurry) => {
    stopping.abort();
    wakeSignal.notify();
    await checking;
    await parts.end(hurry);
  });
  return { ...parts.jobs, pauseReason: () => paused };
}

/** Jobs that can be started and stopped repeatedly. */
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
      // Reset first: parts whose stop fails must not be started again.
      running = undefined;
      current = undefined;
      await ending?.stop(AbortSignal.timeout(FINISH_MS)).catch((error: unknown) => {
        log.error({ err: error }, 'paused jobs did not stop cleanly');
      });
    },
    end: async (hurry: AbortSignal) => running?.stop(hurry),
  };
}

type Stop = Parameters<Lifecycle['onStop']>[1];

/** Parts of a process that can be stopped before it ends. */
interface Parts {
  stop(hurry: AbortSignal): Promise<void>;
}

/** Starts parts that are stopped together. If the start fails, the started parts are stopped. */
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
        throw new AggregateError(failures, 'parts of the jobs did not stop cleanly');
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
