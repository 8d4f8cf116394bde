import type { Pool } from 'pg';
import type { Logger } from '../config/logger.ts';
import { DEATHS_MAX, ENDED_ITS_WORKERS, isInterruption } from './give-up.ts';
import { MAKE_LAST_ATTEMPT, MARK_STARTED, REMOVE_FLAGS } from './private-tables.ts';
import type { SuspectGate } from './suspect-gate.ts';

/** From so many deaths beside other jobs on, suspects start one after another. */
const IN_ORDER_FROM = 2;
/** From here on a suspect runs while no other job does, so that the next death is its own. */
const ALONE_FROM = 3;
/** The time alone doubles with each death after it: from 2 s up to 32 s. */
const DOUBLINGS_MAX = 4;

/** Members of a job's `flags`, which graphile-worker compares only with names that a worker forbids. */
interface JobFlags {
  /** How many workers ended while they had the job, or later while they ran it beside others. */
  readonly deaths?: number;
  /** How many workers ended while they ran the job and no other. */
  readonly deathsAlone?: number;
  readonly startedBy?: string;
  readonly aloneBy?: string;
}

type Flags = readonly (keyof JobFlags)[];
const MARKS: Flags = ['startedBy', 'aloneBy'];
const ALL_FLAGS: Flags = ['deaths', 'deathsAlone', ...MARKS];

/** A job as the queue returns it. */
interface FetchedJob {
  readonly id: string;
  readonly task_identifier: string;
  readonly flags: object | null;
}

export interface SuspectLane {
  readonly pool: Pool;
  readonly gate: SuspectGate;
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
 * every worker after it. Jobs whose workers died are suspects: their starts are recorded. After three
 * deaths while it ran alone, a job is given up with an error that the queue keeps. A process that
 * survives a suspect clears it. Throws Postponed if the suspect has to wait.
 */
export async function runJob(job: FetchedJob, lane: SuspectLane, run: JobRun): Promise<void> {
  const { gate } = lane;
  const { deaths = 0, deathsAlone = 0 } = (job.flags ?? {}) as JobFlags;
  if (deaths === 0) {
    return gate.start(run.handle, run.signal);
  }
  if (deathsAlone >= DEATHS_MAX) {
    return gate.start(() => giveUpJob(job, deathsAlone, lane, run), run.signal);
  }
  const mark = (isAlone: boolean) => markStarted(job, lane, isAlone);
  const handle = () => handleSuspect(job, lane, run);
  const start = () => mark(false).then(handle);
  if (deaths < IN_ORDER_FROM) {
    return gate.start(start, run.signal);
  }
  if (deaths < ALONE_FROM) {
    return gate.startNext(start);
  }
  const endAlone = () => removeFlags(['aloneBy'], job, lane);
  const factor = 2 ** Math.min(deaths - ALONE_FROM, DOUBLINGS_MAX);
  return gate.startAlone({ mark, endAlone, handle, signal: run.signal }, factor);
}

async function handleSuspect(job: FetchedJob, lane: SuspectLane, run: JobRun): Promise<void> {
  try {
    await run.handle();
  } catch (error) {
    // An interrupted job may come back to this worker, which then has not started it.
    await removeFlags(isInterruption(error, run) ? MARKS : ALL_FLAGS, job, lane);
    throw error;
  }
  // The queue learns of the end later, perhaps after the next suspect has ended the process.
  await removeFlags(ALL_FLAGS, job, lane);
}

async function markStarted(
  { id }: FetchedJob,
  { pool, id: laneId }: SuspectLane,
  isAlone: boolean,
): Promise<void> {
  await pool.query(MARK_STARTED, [id, laneId(), isAlone]);
}

/** Never rejects: the outcome of the job stays what it is. */
async function removeFlags(
  flags: Flags,
  { id }: FetchedJob,
  { pool, id: laneId, log }: SuspectLane,
): Promise<void> {
  try {
    await pool.query(REMOVE_FLAGS, [id, laneId(), flags]);
  } catch (error) {
    log.debug({ err: error, job: id }, 'flags of a job not removed');
  }
}

async function giveUpJob(
  job: FetchedJob,
  deathsAlone: number,
  lane: SuspectLane,
  { giveUp, signal }: JobRun,
): Promise<void> {
  const { id, task_identifier: task } = job;
  const { pool, id: laneId, log, onGivenUp } = lane;
  log.error({ job: id, task, deathsAlone }, 'job given up: its workers ended while they ran it');
  // Deaths beyond the limit happened while the job was given up. They count whatever ran beside it.
  if (giveUp && deathsAlone < 2 * DEATHS_MAX) {
    await markStarted(job, lane, true);
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
