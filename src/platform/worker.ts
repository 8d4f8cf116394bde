import { EventEmitter, once } from 'node:events';
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  type JobHelpers,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import type { Pool } from 'pg';
import { check } from '#kit/check.ts';
import type { Job, JobContext, Performer } from '#kit/job.ts';
import type { Actor } from '#kit/work.ts';
import { watchAbandonedJobs } from './abandoned-jobs.ts';
import { giveBack } from './give-back.ts';
import type { Logger } from './logger.ts';
import { knowJobs, watchLostJobs } from './lost-jobs.ts';
import { observeJob } from './metrics/jobs.ts';

/** When a job may still finish, and how long it then has to wind up, once the worker is to stop. */
const FINISH_MS = 25_000;

/** A job that the clock queues. `at` is a cron pattern in UTC. */
export interface Scheduled {
  readonly job: Job;
  readonly at: string;
}

export interface WorkerOptions {
  /** For the queue alone: performers have connections of their own. */
  readonly pool: Pool;
  readonly performers: readonly Performer[];
  readonly schedule: readonly Scheduled[];
  readonly context: Omit<JobContext, 'attempt' | 'signal' | 'actor'>;
  readonly concurrency: number;
  /** Jobs fetched at once and kept until one of many idle places takes them; each asks alone if unset. */
  readonly fetchAtOnce?: number;
  readonly pollIntervalMs: number;
  readonly log: Logger;
  /** Told when this machine's clock was put back: the schedule would wait until it has caught up. */
  readonly onClockBack?: () => void;
  /** Told when the queue gives up by itself. */
  readonly onFailure: (error: unknown) => void;
}

/** The schedule looks every minute; what is more than that is no timer that fires early. */
const CLOCK_BACK_MS = 120_000;
/** Beside the time between two looks. */
const LOOK_LATE_MS = 15_000;

export interface Worker {
  /** Whether jobs are looked for; one that is full looks again when one of its jobs is done. */
  isTaking(): boolean;
  /** Takes no more jobs, lets those that run finish, and gives back those that cannot. */
  stop(hurry: AbortSignal): Promise<void>;
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { pool, log, fetchAtOnce } = options;
  const running = new Set<string>();
  const interrupted = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  const told = listenTo(events, options);
  const known = knowJobs(events);
  const created = once(events, 'pool:create') as Promise<[{ workerPool: WorkerPool }]>;
  const keepsTime = once(events, 'cron:started');
  const runner = await run({
    pgPool: pool,
    events,
    taskList: taskList(options, running, interrupted),
    parsedCronItems: parseCronItems(options.schedule.map(cronItem)),
    concurrency: options.concurrency,
    pollInterval: options.pollIntervalMs,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: FINISH_MS,
    logger: queueLogger(log),
    preset: { worker: { ...BATCHING, ...(fetchAtOnce && { localQueue: { size: fetchAtOnce } }) } },
  });
  const ended = runner.promise.then(() => {
    throw told.failure() ?? new Error('the queue stopped by itself');
  });
  const [[{ workerPool }]] = await Promise.race([Promise.all([created, keepsTime]), ended]);
  const watch = watchAbandonedJobs(pool, workerPool.id, log);
  const lost = watchLostJobs(pool, workerPool.id, known, log);
  let isStopping = false;
  ended.catch((error: unknown) => isStopping || options.onFailure(error));
  const lateMs = LOOK_LATE_MS + 2 * options.pollIntervalMs;
  return {
    isTaking: () =>
      running.size >= options.concurrency || performance.now() - told.lookedAt() < lateMs,
    async stop(hurry) {
      isStopping = true;
      const hush = (error: unknown) => log.debug({ err: error }, 'queue stopped');
      // The runner's own kill() does nothing once it is stopping.
      const abandon = async () => {
        running.forEach((id) => interrupted.add(id));
        await workerPool.forcefulShutdown('the worker has to stop');
      };
      const stopped = runner.stop().catch(hush);
      await Promise.race([stopped, aborted(hurry)]);
      if (hurry.aborted) {
        await abandon().catch(hush);
      }
      lost.stop();
      await watch.stop();
      await giveBack(pool, [...interrupted]);
    },
  };
}

/** What the queue says of itself that its promises do not. */
function listenTo(events: WorkerEvents, { onClockBack }: WorkerOptions) {
  let lookedAt = performance.now();
  const onLook = () => {
    lookedAt = performance.now();
  };
  events.on('worker:getJob:start', onLook).on('localQueue:getJobs:complete', onLook);
  let failure: unknown;
  events.on('pool:fatalError', ({ error }) => {
    failure = error;
  });
  events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }) => {
    if (expectedTimestamp - currentTimestamp > CLOCK_BACK_MS) {
      onClockBack?.();
    }
  });
  return { lookedAt: () => lookedAt, failure: () => failure };
}

/**
 * What is done is written in batches, since only those are waited for when the queue stops. Without
 * a delay they hold what came while the batch before was under way.
 */
const BATCHING = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

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

/** Payloads are checked again here: a job may outlive the release that queued it. */
function taskList(
  { performers, context }: WorkerOptions,
  running: Set<string>,
  interrupted: Set<string>,
): TaskList {
  return Object.fromEntries(
    performers.map(({ job, perform }) => [
      job.name,
      async (payload: unknown, helpers: JobHelpers) => {
        const { id, attempts } = helpers.job;
        const signal = helpers.abortSignal;
        const began = performance.now();
        let outcome: 'done' | 'failed' = 'failed';
        running.add(id);
        try {
          const given = check(job.payload, withoutCron(payload), 'body');
          await perform(given, { ...context, attempt: attempts, signal, actor: actorOf(job, id) });
          outcome = 'done';
        } catch (error) {
          if (signal.aborted) {
            interrupted.add(id);
          }
          throw error;
        } finally {
          running.delete(id);
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

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The queue tells of each job at its info level, which is detail to us. */
const queueLogger = (log: Logger) =>
  new QueueLogger((scope) => (level, message) => {
    log[ADVICE.test(message) ? 'debug' : LEVELS[level]]({ ...scope }, message);
  });

/** Of use to somebody else: ours wait for peers, few are fetched so that other workers get some too. */
const ADVICE = /having maxPoolSize|Your job batch size/;
