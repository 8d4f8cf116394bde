import { sleep } from '#lib/abort.ts';
import { isPassing, retryConflicts } from '../database/database-errors.ts';
import type { LaneState } from './lanes.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

const BEGIN_AGAIN_MS = 1_000;
/** On a busy machine, the first connections can time out. */
const FIRST_STARTS_MAX = 5;
/** How long jobs may take to finish while their lane is replaced. */
const FINISH_MS = 30_000;
const CHECK_EVERY_MS = 1_000;
/** A single late fetch may be due to a stalled event loop. */
const MISSES_MAX = 2;

export interface LaneOptions extends WorkerOptions {
  readonly name: string;
  /** Called when the lane cannot be restarted, for a permanent reason. */
  readonly onFailure: (error: unknown) => void;
}

export interface Lane {
  readonly name: string;
  state(): LaneState;
  stop(hurry: AbortSignal): Promise<void>;
}

/**
 * Keeps a worker running for one kind of jobs. It is replaced at once when it ends by itself, and after
 * a few seconds when it no longer fetches jobs. The old worker finishes its jobs meanwhile.
 */
export async function superviseWorker(options: LaneOptions): Promise<Lane> {
  const { name, log } = options;
  const stopping = new AbortController();
  const retired = openRetired(options);
  let worker: Worker | undefined;
  let starting: Promise<void> | undefined;
  let restarts = 0;

  const start = async () => {
    worker = await startWorker({
      ...options,
      onFailure: (error) => restart('it ended by itself', error),
    });
  };
  const during = (begun: Promise<void>) =>
    (starting = begun.finally(() => {
      starting = undefined;
    }));
  const restart = (why: string, error?: unknown) => {
    if (stopping.signal.aborted || starting) {
      return;
    }
    restarts += 1;
    const about = { lane: name, why, ...(error !== undefined && { err: error }) };
    log.warn(about, 'lane stopped; restarting it');
    if (worker) {
      retired.add(worker);
    }
    worker = undefined;
    void during(startUntilRunning(start, options, stopping.signal));
  };

  await during(startFirst(start, options));
  const checking = checkRegularly(
    () => worker,
    () => restart('it no longer fetched jobs'),
  );
  return {
    name,
    state: () => ({
      isTaking: worker?.isTaking() ?? false,
      running: worker?.running() ?? 0,
      restarts,
    }),
    async stop(hurry) {
      clearInterval(checking);
      stopping.abort();
      await starting;
      await Promise.all([worker?.stop(hurry), retired.stop(hurry)]);
    },
  };
}

/** Tries a few times: at the start, a database that stays away ends the process. */
async function startFirst(start: () => Promise<void>, { name, log }: LaneOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryConflicts(start);
    } catch (error) {
      if (!isPassing(error) || attempt === FIRST_STARTS_MAX) {
        throw error;
      }
      log.warn({ err: error, lane: name, attempt }, 'lane not started; trying again');
    }
    await sleep(BEGIN_AGAIN_MS);
  }
}

/** Tries until the lane runs; reports a permanent error. */
async function startUntilRunning(
  start: () => Promise<void>,
  { name, log, onFailure }: LaneOptions,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await start();
      log.info({ lane: name }, 'lane restarted');
      return;
    } catch (error) {
      log.debug({ err: error, lane: name }, 'lane not started');
      if (!isPassing(error)) {
        onFailure(error);
        return;
      }
    }
    await sleep(BEGIN_AGAIN_MS, stopping);
  }
}

function checkRegularly(current: () => Worker | undefined, onStall: () => void): NodeJS.Timeout {
  let misses = 0;
  return setInterval(() => {
    const worker = current();
    misses = worker && !worker.isTaking() ? misses + 1 : 0;
    if (misses >= MISSES_MAX) {
      misses = 0;
      onStall();
    }
  }, CHECK_EVERY_MS);
}

/** Workers that were replaced, while they finish their jobs. */
function openRetired({ name, log }: LaneOptions) {
  const hurrying = new AbortController();
  const ending = new Set<Promise<void>>();
  return {
    add(worker: Worker) {
      const hurry = AbortSignal.any([hurrying.signal, AbortSignal.timeout(FINISH_MS)]);
      const ended = worker.stop(hurry).catch((error: unknown) => {
        log.debug({ err: error, lane: name }, 'jobs not given back');
      });
      ending.add(ended);
      void ended.then(() => ending.delete(ended));
    },
    async stop(hurry: AbortSignal) {
      hurry.addEventListener('abort', () => hurrying.abort(), { once: true });
      if (hurry.aborted) {
        hurrying.abort();
      }
      await Promise.all(ending);
    },
  };
}
