import { firstIdAt } from '#kit/id.ts';
import { defineJob, performs } from '#kit/job.ts';
import { strict } from '#kit/schema.ts';
import { PRUNE_RATE_WINDOWS } from '#platform/rate-limit/prune-rate-windows.ts';

const BITE = 10_000;

/** Logs of deliveries, the events they are about (contract 6), and receipts that fit no message. */
const KEPT_MS = 30 * 24 * 3_600_000;

export const housekeeping = defineJob({
  name: 'operations/housekeeping',
  payload: strict({}),
  maxAttempts: 1,
});

/** Deletes what has expired, in bites so that no statement holds many locks. */
export const performHousekeeping = performs(housekeeping, async (_, { execute, clock, signal }) => {
  const oldest = firstIdAt(new Date(clock().getTime() - KEPT_MS));
  const prune = async (statement: string, values: readonly unknown[] = []) => {
    while (!signal.aborted && (await execute(statement, values)) === BITE) {
      // The next bite.
    }
  };
  await prune(PRUNE_IDEMPOTENCY_KEYS);
  await prune(PRUNE_RATE_WINDOWS.text);
  await prune(PRUNE_SPENT_CHALLENGES);
  await prune(pruneOlder('webhook_deliveries'), [oldest]);
  await prune(pruneOlder('events'), [oldest]);
  await prune(pruneOlder('message_receipts'), [oldest]);
  await prune(pruneOlder('workflow_effects'), [oldest]);
  await prune(PRUNE_SUBSCRIPTIONS, [new Date(clock().getTime() - KEPT_MS)]);
});

const PRUNE_IDEMPOTENCY_KEYS = `
  delete from idempotency_keys where (sub_account_id, key_id, path, key) in (
    select sub_account_id, key_id, path, key from idempotency_keys
    where expires_at <= now() limit ${BITE} for update skip locked)`;

const PRUNE_SPENT_CHALLENGES = `
  delete from spent_challenges where (sub_account_id, id) in (
    select sub_account_id, id from spent_challenges
    where expires_at <= now() limit ${BITE} for update skip locked)`;

/** Ids tell the time, so that the primary key finds what is old without another index. */
const pruneOlder = (table: string): string => `
  delete from ${table} where (sub_account_id, id) in (
    select old.sub_account_id, old.id from sub_accounts s
    cross join lateral (
      select sub_account_id, id from ${table}
      where sub_account_id = s.id and id < $1 order by id limit ${BITE}
    ) as old
    limit ${BITE})`;

const PRUNE_SUBSCRIPTIONS = `
  delete from webhook_subscriptions where (sub_account_id, id) in (
    select sub_account_id, id from webhook_subscriptions
    where deleted_at < $1 limit ${BITE} for update skip locked)`;
