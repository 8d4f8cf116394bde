import { defineJob, performs } from '#kit/job.ts';
import { strict } from '#kit/schema.ts';
import { PRUNE_RATE_WINDOWS } from '#platform/rate-limit/prune-rate-windows.ts';

const BITE = 10_000;

export const housekeeping = defineJob({
  name: 'operations/housekeeping',
  payload: strict({}),
  maxAttempts: 1,
});

/** Deletes what has expired, in bites so that no statement holds many locks. */
export const performHousekeeping = performs(housekeeping, async (_, { execute, signal }) => {
  for (const statement of [PRUNE_IDEMPOTENCY_KEYS, PRUNE_RATE_WINDOWS.text]) {
    while (!signal.aborted && (await execute(statement)) === BITE) {
      // The next bite.
    }
  }
});

const PRUNE_IDEMPOTENCY_KEYS = `
  delete from idempotency_keys where (sub_account_id, key_id, path, key) in (
    select sub_account_id, key_id, path, key from idempotency_keys
    where expires_at <= now() limit ${BITE} for update skip locked)`;
