import type { WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { retryConflicts } from '../database/database-errors.ts';
import type { Logger } from '../config/logger.ts';

const SWEEP_EVERY_MS = 5_000;
/** Longer than any answer of the queue takes, and than it takes to write down that a job is done. */
const LOST_AFTER_MS = 30_000;

/**
 * Frees jobs that the queue gave to this worker when the connection broke: they are taken, but the
 * worker never heard of them, and the queue would keep them for four hours.
 */
export function recoverLostJobs(
  pool: Pool,
  workerId: string,
  known: () => readonly string[],
  log: Logger,
  { sweepEveryMs = SWEEP_EVERY_MS, lostAfterMs = LOST_AFTER_MS } = {},
): { stop(): void } {
  const sweep = async () => {
    try {
      const { rowCount } = await retryConflicts(() =>
        pool.query(FREE, [workerId, known(), lostAfterMs]),
      );
      if (rowCount) {
        log.warn(
          { jobs: rowCount },
          'freed jobs that were given to this worker without its knowing',
        );
      }
    } catch (error) {
      log.debug({ err: error }, 'lost jobs not looked for');
    }
  };
  const timer = setInterval(() => void sweep(), sweepEveryMs);
  return { stop: () => clearInterval(timer) };
}

/** Jobs that the worker has, and those that it had a moment ago: the queue may not know yet. */
export function knowJobs(events: WorkerEvents, keepMs = LOST_AFTER_MS): () => string[] {
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

/** The attempt that was never made does not count. Locks in the order of ids. */
const FREE = `
  with lost as materialized (
    select id from graphile_worker._private_jobs
    where locked_by = $1 and id <> all($2::bigint[])
      and locked_at < now() - $3 * interval '1 ms'
    order by id for update
  )
  update graphile_worker._private_jobs j
  set attempts = greatest(0, least(attempts, max_attempts) - 1), locked_at = null, locked_by = null
  from lost where j.id = lost.id`;
