import type { WorkerEvents } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
import { aborted, sleep } from '#lib/abort.ts';
import { repeat } from '#lib/repeat.ts';
import { retryConflicts } from '../database/database-errors.ts';
import type { Logger } from '../config/logger.ts';
import {
  FIND_DEAD_WORKERS,
  FREE_JOBS_OF_WORKERS,
  FREE_LOST_JOBS,
  REQUEUE_JOBS,
} from './private-tables.ts';

/** The class of the advisory locks that living workers hold: an arbitrary number. */
export const WORKER_LOCKS = 5_771_002;
const FIND_DEAD_EVERY_MS = 4_000;
const RECONNECT_MS = 1_000;
const FREE_LOST_EVERY_MS = 5_000;
/** Longer than any response of the queue takes, and than recording the end of a job takes. */
const LOST_AFTER_MS = 30_000;

interface Recovery {
  stop(): Promise<void>;
}

/**
 * Frees the jobs of dead workers: the queue itself would keep them for four hours. A worker
 * lives as long as the session that holds its lock. It counts as dead only if two sweeps in a row
 * find no lock, so that a worker whose connection broke has time to reconnect.
 */
export function recoverJobsOfDeadWorkers(
  pool: Pool,
  workerId: string,
  log: Logger,
  sweepEveryMs = FIND_DEAD_EVERY_MS,
): Recovery {
  const stopping = new AbortController();
  const staying = keepWorkerLock(pool, workerId, stopping.signal, log);
  let suspects: readonly string[] = [];
  const sweep = async () => {
    try {
      const values = [WORKER_LOCKS, workerId];
      const { rows } = await pool.query<{ id: string }>(FIND_DEAD_WORKERS, values);
      const dead = rows.map(({ id }) => id);
      const gone = dead.filter((id) => suspects.includes(id));
      suspects = dead;
      if (gone.length > 0) {
        const freed = await retryConflicts(() =>
          pool.query<{ jobs: number }>(FREE_JOBS_OF_WORKERS, [gone]),
        );
        log.warn({ workers: gone, jobs: freed.rows[0]?.jobs }, 'freed the jobs of dead workers');
      }
    } catch (error) {
      log.debug({ err: error }, 'search for dead workers failed');
    }
  };
  const sweeping = repeat(sweepEveryMs, sweep);
  return {
    async stop() {
      void sweeping.stop();
      stopping.abort();
      await staying;
    },
  };
}

/** Holds the worker's lock in a session of its own, and takes it again when that session is lost. */
async function keepWorkerLock(
  pool: Pool,
  workerId: string,
  stopping: AbortSignal,
  log: Logger,
): Promise<void> {
  while (!stopping.aborted) {
    let client: PoolClient | undefined;
    try {
      client = await pool.connect();
      await client.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCKS, workerId]);
      await Promise.race([disconnected(client), aborted(stopping)]);
    } catch (error) {
      log.debug({ err: error }, 'worker lock not taken');
    }
    // Not reused: ending the session is what releases the lock.
    client?.release(true);
    if (!stopping.aborted) {
      await sleep(RECONNECT_MS, stopping);
    }
  }
}

const disconnected = (client: PoolClient) =>
  new Promise<void>((resolve) => {
    client.once('error', () => resolve());
    client.once('end', () => resolve());
  });

/**
 * Frees jobs that the queue gave to this worker when the connection broke: they are locked, but the
 * worker never received them, and the queue would keep them for four hours.
 */
export function recoverLostJobs(
  pool: Pool,
  workerId: string,
  known: () => readonly string[],
  log: Logger,
  { sweepEveryMs = FREE_LOST_EVERY_MS, lostAfterMs = LOST_AFTER_MS } = {},
): Recovery {
  const sweep = async () => {
    try {
      const { rowCount } = await retryConflicts(() =>
        pool.query(FREE_LOST_JOBS, [workerId, known(), lostAfterMs]),
      );
      if (rowCount) {
        log.warn({ jobs: rowCount }, 'freed jobs that were given to this worker but never arrived');
      }
    } catch (error) {
      log.debug({ err: error }, 'search for lost jobs failed');
    }
  };
  return repeat(sweepEveryMs, sweep);
}

/** Tracks the jobs that the worker has, or had a moment ago: the queue may not know yet. */
export function trackKnownJobs(events: WorkerEvents, keepMs = LOST_AFTER_MS): () => string[] {
  const endedAt = new Map<string, number>();
  const take = (id: string) => endedAt.set(id, Number.POSITIVE_INFINITY);
  const end = (id: string) => endedAt.set(id, performance.now());
  events.on('localQueue:getJobs:complete', ({ jobs }) => jobs.forEach(({ id }) => take(id)));
  events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(({ id }) => end(id)));
  events.on('job:start', ({ job }) => take(job.id));
  events.on('job:complete', ({ job }) => end(job.id));
  return () => {
    const forgotten = performance.now() - keepMs;
    for (const [id, at] of endedAt) {
      if (at < forgotten) {
        endedAt.delete(id);
      }
    }
    return [...endedAt.keys()];
  };
}

/**
 * Makes jobs that a stopping worker could not finish due again, without counting the attempt: the
 * queue would record them as failed, and those with a single attempt would never run again. Jobs that
 * another worker has taken meanwhile are left to it.
 */
export async function requeueJobs(
  pool: Pool,
  workerId: string,
  jobIds: readonly string[],
): Promise<void> {
  if (jobIds.length > 0) {
    await retryConflicts(() => pool.query(REQUEUE_JOBS, [jobIds, workerId]));
  }
}
