import type { Pool, PoolClient } from 'pg';
import { retryConflicts } from '../database/database-errors.ts';
import type { Logger } from '../config/logger.ts';

/** Any number: advisory locks of this class stand for living workers. */
export const WORKER_LOCKS = 5_771_002;
const SWEEP_EVERY_MS = 4_000;
const RECONNECT_MS = 1_000;

interface Watch {
  stop(): Promise<void>;
}

/**
 * Frees the jobs of workers that died: the queue itself would hold them for four hours. A worker
 * lives as long as the session that holds its lock; one that is found dead in two sweeps in a row is
 * dead, so that a worker whose connection broke has the time to come back.
 */
export function recoverAbandonedJobs(
  pool: Pool,
  workerId: string,
  log: Logger,
  sweepEveryMs = SWEEP_EVERY_MS,
): Watch {
  const stopping = new AbortController();
  const staying = stayAlive(pool, workerId, stopping.signal, log);
  let suspects: readonly string[] = [];
  const sweep = async () => {
    try {
      const { rows } = await pool.query<{ id: string }>(FIND_DEAD, [WORKER_LOCKS, workerId]);
      const dead = rows.map(({ id }) => id);
      const gone = dead.filter((id) => suspects.includes(id));
      suspects = dead;
      if (gone.length > 0) {
        const freed = await retryConflicts(() => pool.query<{ jobs: number }>(FREE, [gone]));
        log.warn(
          { workers: gone, jobs: freed.rows[0]?.jobs },
          'freed the jobs of workers that died',
        );
      }
    } catch (error) {
      log.debug({ err: error }, 'abandoned jobs not looked for');
    }
  };
  const timer = setInterval(() => void sweep(), sweepEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await staying;
    },
  };
}

/** Holds the lock on a session of its own, and takes it again whenever that session is lost. */
async function stayAlive(
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
      await lost(client, stopping);
    } catch (error) {
      log.debug({ err: error }, 'sign of life not given');
    }
    // Not reused: ending the session is what gives the lock back.
    client?.release(true);
    if (!stopping.aborted) {
      await pause(RECONNECT_MS, stopping);
    }
  }
}

const lost = (client: PoolClient, stopping: AbortSignal) =>
  new Promise<void>((resolve) => {
    client.once('error', () => resolve());
    client.once('end', () => resolve());
    stopping.addEventListener('abort', () => resolve(), { once: true });
    if (stopping.aborted) {
      resolve();
    }
  });

const pause = (ms: number, stopping: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopping.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** A lock that can be had is one that nobody holds; it ends with the statement. */
const FIND_DEAD = `
  select id from (
    select locked_by as id from graphile_worker._private_jobs where locked_by is not null
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null
  ) as worker
  where id <> $2 and pg_try_advisory_xact_lock($1, hashtext(id))`;

/**
 * The attempt that died with its worker does not count. Locks jobs in the order of ids, and before
 * their queues, as graphile-worker does when a job ends.
 */
const FREE = `
  with abandoned as materialized (
    select id from graphile_worker._private_jobs where locked_by = any($1) order by id for update
  ), jobs as (
    update graphile_worker._private_jobs j
    set attempts = greatest(0, least(attempts, max_attempts) - 1), locked_at = null, locked_by = null
    from abandoned where j.id = abandoned.id
    returning j.id
  ), idle as materialized (
    select q.id from graphile_worker._private_job_queues q
    where q.locked_by = any($1) and (select count(*) from jobs) >= 0
    order by q.id for update
  ), queues as (
    update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
    from idle where q.id = idle.id
  )
  select count(*)::int as jobs from jobs`;
