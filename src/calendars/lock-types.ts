import type { Work } from '#core/work.ts';

/** Blocks new bookings of appointment types until the work ends: each booking takes the lock of its type. */
export async function lockTypes(work: Work, typeIds: readonly string[]): Promise<void> {
  await work.rows(LOCK, [typeIds]);
}

/**
 * Reads no table: a cluster takes the locks of a statement about rows on their node, but those of a booking
 * on the coordinator. In one order, so that two callers do not wait for each other.
 */
const LOCK = `select pg_advisory_xact_lock(type_lock(id)) from (
    select id from unnest($1::uuid[]) as id order by id
  ) as types`;
