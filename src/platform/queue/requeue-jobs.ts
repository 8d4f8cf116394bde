import type { Pool } from 'pg';
import { retryConflicts } from '../database/database-errors.ts';

/**
 * Makes jobs that a stopping worker could not finish due again, the interrupted attempt uncounted:
 * the queue would call them failed, and those with one attempt would never run again. A job that
 * another worker has taken meanwhile stays with that one.
 */
export async function requeueJobs(
  pool: Pool,
  laneId: string,
  jobIds: readonly string[],
): Promise<void> {
  if (jobIds.length > 0) {
    await retryConflicts(() => pool.query(GIVE_BACK, [jobIds, laneId]));
  }
}

/** Locks in the order of ids, as every statement over several jobs does. */
const GIVE_BACK = `
  with mine as materialized (
    select id from graphile_worker._private_jobs
    where id = any($1::bigint[]) and (locked_by is null or locked_by = $2)
    order by id for update
  )
  update graphile_worker._private_jobs j
  set attempts = greatest(0, attempts - 1), run_at = least(run_at, now()), last_error = null,
    locked_at = null, locked_by = null
  from mine where j.id = mine.id`;
