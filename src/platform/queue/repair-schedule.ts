import type { Pool } from 'pg';

/**
 * The queue remembers when the clock last queued a job, and queues none for an earlier time. Where it
 * was told so by a machine whose clock was ahead, nothing would come by the clock until then.
 */
export async function rightSchedule(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(IS_THERE);
  if (rows[0]?.there) {
    await pool.query(RIGHT);
  }
}

/** The queue's own tables come with its first start. */
const IS_THERE = `
  select to_regclass('graphile_worker._private_known_crontabs') is not null as there`;

/** A minute is what schedules look by. */
const RIGHT = `
  update graphile_worker._private_known_crontabs set last_execution = now()
  where last_execution > now() + interval '2 min'`;
