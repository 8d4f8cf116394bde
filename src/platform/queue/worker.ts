import { EventEmitter, once } from 'node:events';
import {
  Logger as QueueLogger,
  run,
  type Runner,
  type RunnerOptions,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import type { Pool } from 'pg';
import type { JobContext, JobHandler } from '#core/job.ts';
import { aborted, sleep } from '#lib/abort.ts';
import type { Logger } from '../config/logger.ts';
import { openFinishing, openLanePool } from './lane-pool.ts';
import { trackShares } from './lane-shares.ts';
import { newLaneJobs, suspectLane, takeFailed, taskList, type LaneJobs } from './lane-tasks.ts';
import { trackFetches, watchEnd } from './lanes.ts';
import { requireGraphileVersion } from './private-tables.ts';
import {
  recoverJobsOfDeadWorkers,
  recoverLostJobs,
  requeueJobs,
  trackKnownJobs,
} from './recover-jobs.ts';

/** How long running jobs may take to finish once the worker stops. */
const FINISH_MS = 25_000;

export interface WorkerOptions {
  /** Used by the queue only: handlers have connections of their own. */
  readonly pool: Pool;
  readonly handlers: readonly JobHandler[];
  readonly context: Omit<JobContext, 'attempt' | 'queuedAt' | 'signal' | 'actor'>;
  readonly concurrency: number;
  /** Jobs fetched in one statement for all idle places; if unset, each place fetches its own. */
  readonly fetchAtOnce?: number;
  /** Whether a sub-account leaves as many places to others as its jobs take. */
  readonly isShared?: boolean;
  /** Returns whether to leave further jobs to other workers, although places are free. */
  readonly isFull?: () => boolean;
  readonly pollIntervalMs: number;
  readonly log: Logger;
  /** Called once, when the lane stops taking jobs although `stop` was not called. */
  readonly onFailure: (error: unknown) => void;
}

/** How long recording the end of jobs may take once everything else has stopped. */
const SETTLE_MS = 5_000;
/** graphile-worker gives its own parts 5 s each. */
const FORCE_MS = 7_000;

export interface Worker {
  /** Returns whether the worker fetches jobs, or is full and will. */
  isTaking(): boolean;
  /** Jobs that run now. */
  running(): number;
  /** Takes no more jobs, lets running ones finish, and requeues those that cannot. */
  stop(hurry: AbortSignal): Promise<void>;
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { pool, log } = options;
  let nudge: () => void = () => undefined;
  const events: WorkerEvents = new EventEmitter();
  const ending = watchEnd(events, options.onFailure);
  const shares = trackShares(options, () => ending.isOver() || nudge());
  const lane = newLaneJobs(shares);
  const fetches = trackFetches(options, lane.running);
  const known = trackKnownJobs(events);
  let laneId = '';
  events.once('pool:create', ({ workerPool }) => {
    laneId = workerPool.id;
    nudge = () => workerPool.nudge(1);
    const { abortSignal } = workerPool;
    const abandon = () => lane.abandoned.abort(abortSignal.reason);
    abortSignal.addEventListener('abort', abandon, { once: true });
  });
  const finishing = openFinishing(pool, () => laneId, log);
  let isStopping = false;
  const lanePool = openLanePool(pool, {
    finishing,
    takeFailed: (ids) => takeFailed(lane, ids),
    mayFetch: () => !isStopping && !options.isFull?.(),
    isStopping: () => isStopping,
    shares,
    requeue: (ids) => requeueJobs(pool, laneId, ids),
    onFetch: fetches.onFetch,
  });
  const tasks = taskList(
    options,
    lane,
    fetches,
    suspectLane(options, lane, () => laneId),
  );
  const queue = await startQueue(options, { pgPool: lanePool, events, taskList: tasks });
  const watch = recoverJobsOfDeadWorkers(pool, laneId, log);
  const lost = recoverLostJobs(pool, laneId, () => [...known(), ...finishing.pending()], log);
  queue.ended.catch(ending.fail);
  return {
    isTaking: fetches.isTaking,
    running: () => lane.running.size,
    async stop(hurry) {
      isStopping = true;
      ending.expect();
      await stopQueue(queue, lane, hurry, log);
      await Promise.race([finishing.settled(), sleep(SETTLE_MS, undefined, { ref: false })]);
      finishing.giveUp();
      void lost.stop();
      await watch.stop();
      await requeueJobs(pool, laneId, [...lane.interrupted]);
    },
  };
}

interface Queue {
  readonly runner: Runner;
  readonly workerPool: WorkerPool;
  /** Rejects once the runner has ended; may never settle. */
  readonly ended: Promise<never>;
}

async function startQueue(
  { concurrency, pollIntervalMs, fetchAtOnce, log }: WorkerOptions,
  parts: Pick<RunnerOptions, 'pgPool' | 'taskList'> & { readonly events: WorkerEvents },
): Promise<Queue> {
  const created = once(parts.events, 'pool:create') as Promise<[Created]>;
  const runner = await run({
    ...parts,
    // Otherwise it reads and watches a file `crontab` in the working folder.
    parsedCronItems: [],
    concurrency,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: FINISH_MS,
    logger: queueLogger(log),
    preset: { worker: fetchAtOnce ? { localQueue: { size: fetchAtOnce } } : {} },
  });
  const ended = runner.promise.then(() => {
    throw new Error('the queue stopped by itself');
  });
  const [{ workerPool, ctx }] = await Promise.race([created, ended]);
  try {
    requireGraphileVersion(ctx.version);
  } catch (error) {
    await runner.stop();
    throw error;
  }
  return { runner, workerPool, ended };
}

/** Waits for running jobs until `hurry`, then abandons them. Never rejects. */
async function stopQueue(
  { runner, workerPool }: Queue,
  { running, interrupted, abandoned }: LaneJobs,
  hurry: AbortSignal,
  log: Logger,
): Promise<void> {
  const hush = (error: unknown) => log.debug({ err: error }, 'queue stopped');
  // The runner does not wait for a pool that has begun to shut down by itself.
  const stopped = Promise.all([
    runner.stop().catch(hush),
    Promise.resolve(workerPool.promise).catch(hush),
  ]);
  await Promise.race([stopped, aborted(hurry)]);
  if (hurry.aborted) {
    running.forEach((id) => interrupted.add(id));
    abandoned.abort(new Error('the worker has to stop'));
    // The runner's own kill() does nothing once it is stopping.
    const forced = Promise.resolve(workerPool.forcefulShutdown('the worker has to stop'));
    await Promise.race([forced.catch(hush), sleep(FORCE_MS, undefined, { ref: false })]);
  }
}

interface Created {
  readonly workerPool: WorkerPool;
  readonly ctx: { readonly version: string };
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The queue logs each job at its info level, which is detail here. Errors keep their cause. */
const queueLogger = (log: Logger) =>
  new QueueLogger((scope) => (level, message, meta) => {
    const error = meta?.['error'];
    const about = { ...scope, ...(error instanceof Error && { err: error }) };
    log[ADVICE.test(message) ? 'debug' : LEVELS[level]](about, message);
  });

/**
 * Advice that does not apply: jobs wait for peers, and few are fetched to leave some to other workers.
 * Suspects that go back to the queue have not failed.
 */
const ADVICE = /having maxPoolSize|Your job batch size|with error 'postponed:/;
