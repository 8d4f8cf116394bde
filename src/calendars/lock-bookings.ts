import type { Work } from '#core/work.ts';

/**
 * Blocks new bookings of the sub-account until the work ends: each booking takes its lock. Not a lock for
 * each type, as all transactions share the memory for locks.
 */
export async function lockBookings({ rows, subAccountId }: Work): Promise<void> {
  await rows(LOCK, [subAccountId]);
}

/**
 * Reads no table: a cluster takes the locks of a statement about rows on their node, but those of a booking
 * on the coordinator.
 */
const LOCK = 'select pg_advisory_xact_lock(bookings_lock($1::uuid))';
