import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  parseCronItems,
  run,
  type JobHelpers,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import type { Pool } from 'pg';
import { check } from '#core/schema/check.ts';
import type { Job, JobContext, JobHandler } from '#core/job.ts';
import type { Actor } from '#core/work.ts';
import { inActivity, untilEscaped } from '../process/activity.ts';
import { recoverAbandonedJobs } from './recover-jobs.ts';
import { openFinishing } from './finish-jobs.ts';
import { requeueJobs } from './requeue-jobs.ts';
import { trackLooks, watchEnd, type Looks } from './lane-watch.ts';
import { GRAPHILE_VERSION, openLanePool } from './lane-pool.ts';
import type { Logger } from '../config/logger.ts';
import { knowJobs, recoverLostJobs } from './recover-lost-jobs.ts';
import { isOutage } from '../database/outage-log.ts';
import { queueLogger } from './queue-logger.ts';
import { observeJob } from '../metrics/jobs.ts';

/** How long running jobs may take to finish once the worker stops. */
const FINISH_MS = 25_000;

/** A job that the clock queues. `at` is a cron pattern in UTC. */
export interface Scheduled {
  readonly job: Job;
  readonly at: string;
}

export interface WorkerOptions {
  /** For the queue alone: performers have connections of their own. */
  readonly pool: Pool;
  readonly handlers: readonly JobHandler[];
  readonly schedule: readonly Scheduled[];
  readonly context: Omit<JobContext, 'attempt' | 'signal' | 'actor'>;
  readonly concurrency: number;
  /** Jobs fetched at once and kept until one of many idle places takes them; each asks alone if unset. */
  readonly fetchAtOnce?: number;
  readonly pollIntervalMs: number;
  readonly log: Logger;
  /** Told when this machine's clock was put back: the schedule would wait until it has caught up. */
  readonly onClockBack?: () => void;
  /** Called once, when the lane stops taking jobs although `stop` was not called. */
  readonly onFailure: (error: unknown) => void;
}

/** How long recording the end of jobs may take once everything else has stopped. */
const SETTLE_MS = 5_000;
/** graphile-worker gives its own parts 5 s each. */
const FORCE_MS = 7_000;

export interface Worker {
  /** Whether jobs are looked for; one that is full looks again when one of its jobs is done. */
  isTaking(): boolean;
  /** Jobs that run now. */
  running(): number;
  /** Takes no more jobs, lets those that run finish, and gives back those that cannot. */
  stop(hurry: AbortSignal): Promise<void>;
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { pool, log } = options;
  const lane: LaneJobs = {
    running: new Set(),
    interrupted: new Set(),
    retryable: new Set(),
    cutOff: new Set(),
    abandoned: new AbortController(),
  };
  const events: WorkerEvents = new EventEmitter();
  const looks = trackLooks(options, lane.running);
  const ending = watchEnd(events, options);
  const known = knowJobs(events);
  let laneId = '';
  events.once('pool:create', ({ workerPool }) => {
    laneId = workerPool.id;
    const { abortSignal } = workerPool;
    const abandon = () => lane.abandoned.abort(abortSignal.reason);
    abortSignal.addEventListener('abort', abandon, { once: true });
  });
  const finishing = openFinishing(pool, () => laneId, log);
  const takeFailed = (ids: readonly string[]) => ({
    ids,
    retryable: ids.filter((id) => lane.retryable.delete(id)),
    cutOff: ids.filter((id) => lane.cutOff.delete(id)),
  });
  let isStopping = false;
  const lanePool = openLanePool(pool, {
    finishing,
    takeFailed,
    isStopping: () => isStopping,
    giveBack: (ids) => requeueJobs(pool, laneId, ids),
    onLook: looks.onLook,
  });
  const tasks = taskList(options, lane, looks);
  const queue = await startQueue(options, { pool: lanePool, events, tasks });
  const watch = recoverAbandonedJobs(pool, laneId, log);
  const lost = recoverLostJobs(pool, laneId, () => [...known(), ...finishing.pending()], log);
  queue.ended.catch(ending.fail);
  return {
    isTaking: looks.isTaking,
    running: () => lane.running.size,
    async stop(hurry) {
      isStopping = true;
      ending.expect();
      await stopQueue(queue, lane, hurry, log);
      await Promise.race([finishing.settled(), pause(SETTLE_MS)]);
      finishing.giveUp();
      lost.stop();
      await watch.stop();
      await requeueJobs(pool, laneId, [...lane.interrupted]);
    },
  };
}

interface Queue {
  readonly runner: Runner;
  readonly workerPool: WorkerPool;
  /** Rejects once the runner has ended; it may never do so. */
  readonly ended: Promise<never>;
}

interface QueueParts {
  readonly pool: Pool;
  readonly events: WorkerEvents;
  readonly tasks: TaskList;
}

async function startQueue(
  { schedule, concurrency, pollIntervalMs, fetchAtOnce, log }: WorkerOptions,
  { pool, events, tasks }: QueueParts,
): Promise<Queue> {
  const created = once(events, 'pool:create') as Promise<[Created]>;
  const keepsTime = once(events, 'cron:started');
  const runner = await run({
    pgPool: pool,
    events,
    taskList: tasks,
    parsedCronItems: parseCronItems(schedule.map(cronItem)),
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
  const [[{ workerPool, ctx }]] = await Promise.race([Promise.all([created, keepsTime]), ended]);
  if (ctx.version !== GRAPHILE_VERSION) {
    await runner.stop();
    throw new Error(`graphile-worker is ${ctx.version}, not ${GRAPHILE_VERSION}`);
  }
  return { runner, workerPool, ended };
}

/** Waits for running jobs until there is hurry, and then abandons them. Never rejects. */
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
    await Promise.race([forced.catch(hush), pause(FORCE_MS)]);
  }
}

interface Created {
  readonly workerPool: WorkerPool;
  readonly ctx: { readonly version: string };
}

/** Jobs of one lane, and the signal for those that have to end: one plain signal is what costs least. */
interface LaneJobs {
  readonly running: Set<string>;
  readonly interrupted: Set<string>;
  /** Running jobs that may be tried again if they fail. */
  readonly retryable: Set<string>;
  /** Jobs that failed because the database was unavailable. */
  readonly cutOff: Set<string>;
  readonly abandoned: AbortController;
}

const cronItem = ({ job, at }: Scheduled) => ({
  task: job.name,
  match: at,
  options: { maxAttempts: job.maxAttempts, jobKey: job.name },
});

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });

const pause = (ms: number) => sleep(ms, undefined, { ref: false });

/** Payloads are checked again here: a job may outlive the release that queued it. */
function taskList(
  { handlers, context }: WorkerOptions,
  { running, interrupted, retryable, cutOff, abandoned }: LaneJobs,
  { touch }: Looks,
): TaskList {
  return Object.fromEntries(
    handlers.map(({ job, handle }) => [
      job.name,
      async (payload: unknown, helpers: JobHelpers) => {
        const { id, attempts, max_attempts: attemptsMax } = helpers.job;
        const { signal } = abandoned;
        const began = performance.now();
        let outcome: 'done' | 'failed' = 'failed';
        running.add(id);
        if (attempts < attemptsMax) {
          retryable.add(id);
        }
        try {
          const given = check(job.payload, withoutCron(payload), 'body');
          const actor = actorOf(job, id);
          const call = { ...context, attempt: attempts, signal, actor };
          await inActivity({ kind: 'job', id: actor.requestId }, () =>
            untilEscaped(() => handle(given, call)),
          );
          outcome = 'done';
          retryable.delete(id);
        } catch (error) {
          if (signal.aborted) {
            interrupted.add(id);
          }
          if (isOutage(error)) {
            cutOff.add(id);
          }
          throw error;
        } finally {
          running.delete(id);
          touch();
          observeJob(job.name, outcome, performance.now() - began);
        }
      },
    ]),
  );
}

const actorOf = ({ name }: Job, id: string): Actor => ({
  kind: 'job',
  name,
  requestId: `job-${id}`,
  operation: name,
});

/** The clock adds a member of its own. */
function withoutCron(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) {
    return payload;
  }
  const { _cron, ...rest } = payload as { _cron?: unknown };
  return rest;
}
