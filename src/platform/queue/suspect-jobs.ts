import type { Pool } from 'pg';
import { aborted, sleep } from '#lib/abort.ts';
import type { Logger } from '../config/logger.ts';
import { DEATHS_MAX, ENDED_ITS_WORKERS, isInterruption } from './give-up.ts';
import { FORGET_DEATHS, MAKE_LAST_ATTEMPT, MARK_STARTED } from './private-tables.ts';

/** From here on a job runs while no other job does, so that the next death is not counted for both. */
const ALONE_FROM = 2;
/** The longest wait for jobs that are no suspects: mailing a campaign takes minutes. */
const WAIT_FOR_OTHERS_MS = 10_000;

/** Members of a job's `flags`, which graphile-worker compares only with names that a worker forbids. */
interface JobFlags {
  /** How many workers in a row ended while they had the job. */
  readonly deaths?: number;
  readonly startedBy?: string;
}

/** A job as the queue returns it. */
interface FetchedJob {
  readonly id: string;
  readonly task_identifier: string;
  readonly flags: object | null;
}

export interface SuspectLane {
  readonly pool: Pool;
  readonly id: () => string;
  readonly log: Logger;
  /** Called before the error of a job that is given up. */
  readonly onGivenUp: (id: string) => unknown;
}

export interface JobRun {
  readonly handle: () => Promise<void>;
  /** Records the end of the job's work. */
  readonly giveUp: (() => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs a job. A job that exhausts the memory or never returns ends its worker, and would do so with
 * every worker after it. Jobs whose workers died are suspects: their starts are recorded, and after
 * three deaths the job is given up with an error that the queue keeps. A process that survives a suspect
 * clears it.
 */
export async function runJob(job: FetchedJob, lane: SuspectLane, run: JobRun): Promise<void> {
  const { deaths = 0 } = (job.flags ?? {}) as JobFlags;
  if (deaths === 0) {
    return runBeside(run.handle, run.signal, others);
  }
  if (deaths >= DEATHS_MAX) {
    return runInOrder(() => giveUpJob(job, deaths, lane, run), run.signal, true);
  }
  const start = async () => {
    await lane.pool.query(MARK_STARTED, [job.id, lane.id()]);
    try {
      await run.handle();
    } catch (error) {
      if (!isInterruption(error, run)) {
        await forgetDeaths(job, lane);
      }
      throw error;
    }
    // The queue learns of the end later, perhaps after the next suspect has ended the process.
    await forgetDeaths(job, lane);
  };
  return runInOrder(start, run.signal, deaths >= ALONE_FROM);
}

/** Never rejects: the outcome of the job stays what it is. */
async function forgetDeaths({ id }: FetchedJob, { pool, id: laneId, log }: SuspectLane) {
  try {
    await pool.query(FORGET_DEATHS, [id, laneId()]);
  } catch (error) {
    log.debug({ err: error, job: id }, 'deaths of workers not forgotten');
  }
}

async function giveUpJob(
  { id, task_identifier: task }: FetchedJob,
  deaths: number,
  { pool, id: laneId, log, onGivenUp }: SuspectLane,
  { giveUp, signal }: JobRun,
): Promise<void> {
  log.error({ job: id, task, deaths }, 'job given up: its workers ended while they ran it');
  // Deaths beyond the limit happened while the job was given up, perhaps for the sake of another job.
  if (giveUp && deaths < 2 * DEATHS_MAX) {
    await pool.query(MARK_STARTED, [id, laneId()]);
    await giveUp().catch((error: unknown) => {
      if (isInterruption(error, { signal })) {
        throw error;
      }
      log.error({ err: error, job: id, task }, 'the end of a given-up job was not recorded');
    });
  }
  await pool.query(MAKE_LAST_ATTEMPT, [id, laneId()]);
  onGivenUp(id);
  throw new Error(`given up: ${ENDED_ITS_WORKERS}`);
}

/** The suspects of this process, in whatever lane, that run or wait to run alone. They never reject. */
const alone = new Set<Promise<unknown>>();
/** The suspects that run, or wait to run, beside others. They never reject. */
const together = new Set<Promise<unknown>>();
/** The jobs that are no suspects. They never reject. */
const others = new Set<Promise<unknown>>();

/** Runs a job after the suspects that run alone, if there are any. */
function runBeside(
  start: () => Promise<void>,
  signal: AbortSignal,
  jobs: Set<Promise<unknown>>,
): Promise<void> {
  return track(alone.size > 0 ? startAfter([...alone], signal, start) : start(), jobs);
}

/** Runs a suspect after those that came before it and must not run beside it. */
function runInOrder(
  start: () => Promise<void>,
  signal: AbortSignal,
  isAlone: boolean,
): Promise<void> {
  if (!isAlone) {
    return runBeside(start, signal, together);
  }
  const otherJobs = Promise.race([
    Promise.all(others),
    sleep(WAIT_FOR_OTHERS_MS, signal, { ref: false }),
  ]);
  return track(startAfter([...alone, ...together, otherJobs], signal, start), alone);
}

/** Keeps a job among `jobs` until it ends. */
function track(running: Promise<void>, jobs: Set<Promise<unknown>>): Promise<void> {
  const ended = running.catch(() => undefined);
  jobs.add(ended);
  void ended.then(() => jobs.delete(ended));
  return running;
}

async function startAfter(
  before: readonly unknown[],
  signal: AbortSignal,
  start: () => Promise<void>,
): Promise<void> {
  await Promise.race([Promise.all(before), aborted(signal)]);
  signal.throwIfAborted();
  await start();
}
