import type { Pool } from 'pg';

/**
 * Makes jobs that a stopping worker could not finish due again, the interrupted attempt uncounted:
 * the queue would call them failed, and those with one attempt would never run again.
 */
export async function giveBack(pool: Pool, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length > 0) {
    await pool.query(GIVE_BACK, [jobIds]);
  }
}

const GIVE_BACK = `
  update graphile_worker._private_jobs
  set attempts = greatest(0, attempts - 1), run_at = least(run_at, now()), last_error = null,
    locked_at = null, locked_by = null
  where id = any($1::bigint[])`;
