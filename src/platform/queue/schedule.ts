import type { Job } from '#core/job-type.ts';
import type { Logger as CronLogger, ScheduledTask } from 'node-cron';
import { sleep } from '#lib/abort.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Logger } from '../config/logger.ts';
import type { Database } from '../database/database.ts';
import { ENQUEUE_TICK, REQUEUE_JOBS_FROM_AHEAD } from './private-tables.ts';

/** The last tick of each periodic job. */
export const TICKS_TABLE = 'schedule_ticks';

/** A job that runs periodically. */
export interface Scheduled {
  readonly job: Job;
  /** Five fields, or six with seconds, in UTC. */
  readonly cron: string;
}

interface ScheduleOptions {
  readonly database: Pick<Database, 'rows'>;
  readonly schedule: readonly Scheduled[];
  readonly log: Logger;
}

interface Schedule {
  stop(): Promise<void>;
}

const CHECK_CLOCK_EVERY_MS = 5_000;
/** More than a clock that is being adjusted moves between two checks. */
const JUMP_MS = 1_000;
const TRY_AGAIN_MS = 5_000;
/** Beyond this, ticks go by the clock of the database. */
const CLOCKS_APART_MS = 5_000;
/** A tick that was missed longer ago is skipped. */
const MISSED_MAX_MS = DAY_MS;

/**
 * Queues periodic jobs until it is stopped. Every worker may do so: the database records the last tick
 * of each job, so a tick queues one job, whatever the number of workers. Ticks that were missed,
 * because no worker ran or the machine was suspended, are caught up by one job. A job is skipped while
 * the one of the tick before still waits or runs.
 */
export async function startSchedule(options: ScheduleOptions): Promise<Schedule> {
  const { database, log } = options;
  // Such a job of the schedule would keep all later ones from being queued.
  await database.rows(REQUEUE_JOBS_FROM_AHEAD).catch((error: unknown) => {
    log.warn({ err: error }, 'jobs from a clock that was ahead are not looked for');
  });
  const { createTask, parse } = await import('node-cron');
  const cronOptions = { timezone: 'UTC', suppressMissedWarning: true, logger: cronLogger(options) };
  const periodic = options.schedule.map((scheduled) =>
    keepTicking(scheduled, options, {
      seconds: parse(scheduled.cron).second,
      newTask: (onTick) => {
        const task = createTask(scheduled.cron, onTick, cronOptions);
        task.on('execution:missed', onTick);
        return task;
      },
    }),
  );
  const watching = watchClock(() => periodic.forEach(({ restart }) => restart()));
  return {
    async stop() {
      clearInterval(watching);
      await Promise.all(periodic.map(({ stop }) => stop()));
    },
  };
}

interface CronTools {
  readonly seconds: readonly number[];
  readonly newTask: (onTick: () => void) => ScheduledTask;
}

function keepTicking(
  { job }: Scheduled,
  { database, log }: ScheduleOptions,
  { seconds, newTask }: CronTools,
) {
  const stopping = new AbortController();
  const due = newWakeSignal();
  const start = () => {
    const task = newTask(due.notify);
    void task.start();
    // A tick may have been missed before the start.
    due.notify();
    return task;
  };
  let task = start();
  const queueing = (async () => {
    for (;;) {
      await due.wait();
      if (stopping.signal.aborted) {
        return;
      }
      try {
        const tick = lastTick(task, seconds, await now(database));
        if (tick) {
          await database.rows(ENQUEUE_TICK, [job.name, tick, job.maxAttempts]);
        }
      } catch (error) {
        log.warn({ err: error, job: job.name }, 'periodic job not queued; trying again');
        await sleep(TRY_AGAIN_MS, stopping.signal);
        due.notify();
      }
    }
  })();
  return {
    restart() {
      void task.destroy();
      task = start();
    },
    async stop() {
      stopping.abort();
      due.notify();
      await task.destroy();
      await queueing;
    },
  };
}

/** The time of this machine, or that of the database if they differ: all workers share the latter. */
async function now(database: ScheduleOptions['database']): Promise<number> {
  const [row] = await database.rows<{ now: Date }>('select clock_timestamp() as now');
  const here = Date.now();
  const there = row?.now.getTime() ?? here;
  return Math.abs(there - here) > CLOCKS_APART_MS ? there : here;
}

/** Returns the last tick up to `until` (epoch milliseconds), or undefined if none was within a day. */
function lastTick(
  task: Pick<ScheduledTask, 'match'>,
  seconds: readonly number[],
  until: number,
): Date | undefined {
  const latestFirst = seconds.toSorted((a, b) => b - a);
  const minute = until - (until % MINUTE_MS);
  for (let at = minute; at > until - MISSED_MAX_MS; at -= MINUTE_MS) {
    for (const second of latestFirst) {
      const tick = new Date(at + second * SECOND_MS);
      if (tick.getTime() <= until && task.match(tick)) {
        return tick;
      }
    }
  }
  return undefined;
}

/**
 * Calls back when the clock of the machine was set, or the machine was suspended: node-cron would wait
 * until a clock that was put back has caught up.
 */
function watchClock(onJump: () => void): NodeJS.Timeout {
  const read = () => Date.now() - performance.now();
  let last = read();
  return setInterval(() => {
    const offset = read();
    if (Math.abs(offset - last) > JUMP_MS) {
      onJump();
    }
    last = offset;
  }, CHECK_CLOCK_EVERY_MS);
}

/** node-cron would write to the terminal. */
const cronLogger = ({ log }: ScheduleOptions): CronLogger => ({
  info: (message) => log.debug({ from: 'node-cron' }, message),
  warn: (message) => log.warn({ from: 'node-cron' }, message),
  error: (message, error) =>
    log.error({ from: 'node-cron', err: errorOf(message, error) }, textOf(message)),
  debug: (message, error) =>
    log.debug({ from: 'node-cron', err: errorOf(message, error) }, textOf(message)),
});

const errorOf = (message: string | Error, error?: Error) =>
  message instanceof Error ? message : error;

const textOf = (message: string | Error) => (message instanceof Error ? message.message : message);
