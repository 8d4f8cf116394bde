import { firstIdAt } from '#lib/id.ts';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';
import { pruneGivenUpJobs } from '#platform/queue/private-tables.ts';
import { PRUNE_RATE_WINDOWS } from '#platform/rate-limit/stores/postgres.ts';

const BATCH = 10_000;

/** The retention of delivery logs, their events (contract 6), and receipts without a message. */
const KEPT_MS = 30 * DAY_MS;

export const housekeeping = defineJob({
  name: 'operations/housekeeping',
  payload: request({}),
  maxAttempts: 1,
});

/** The retention of finished workflow runs and their step logs. */
const RUNS_KEPT_MS = 90 * DAY_MS;
/** Smaller than the others: each run has up to 200 log rows. */
const RUNS_BATCH = 500;

/** The retention of replaced workflow versions: longer than any transaction that read them as current. */
const VERSIONS_KEPT_MS = DAY_MS;
/** Small: for each version, the database searches all runs of its sub-account. */
const VERSIONS_BATCH = 20;

/** The number of events that a reader scans in a few milliseconds. */
const FAR_BEHIND = 10_000;

/** Deletes expired rows, in batches so that no statement holds many locks. */
export const handleHousekeeping = handle(housekeeping, async (_, { execute, clock, signal }) => {
  const oldest = firstIdAt(new Date(clock().getTime() - KEPT_MS));
  const prune = async (statement: string, values: readonly unknown[] = [], batchSize = BATCH) => {
    while (!signal.aborted && (await execute(statement, values)) === batchSize) {
      // More rows may have expired.
    }
  };
  await prune(PRUNE_IDEMPOTENCY_KEYS);
  await prune(PRUNE_RATE_WINDOWS.text);
  await prune(PRUNE_SPENT_CHALLENGES);
  await prune(pruneOlder('webhook_deliveries'), [oldest]);
  await prune(pruneOlder('events'), [oldest]);
  await prune(pruneOlder('message_receipts'), [oldest]);
  await prune(pruneOlder('workflow_effects'), [oldest]);
  await prune(pruneOlder('admin_notices'), [oldest]);
  await prune(PRUNE_RUNS, [new Date(clock().getTime() - RUNS_KEPT_MS)], RUNS_BATCH);
  await execute(PRUNE_VERSIONS, [new Date(clock().getTime() - VERSIONS_KEPT_MS)]);
  await prune(pruneGivenUpJobs(BATCH));
  await prune(PRUNE_SUBSCRIPTIONS, [new Date(clock().getTime() - KEPT_MS)]);
  await execute(WAKE_FAR_BEHIND, [FAR_BEHIND]);
});

const WAKE_FAR_BEHIND = 'select from wake_far_behind($1) as woken where woken > 0';

const PRUNE_IDEMPOTENCY_KEYS = `
  delete from idempotency_keys where (sub_account_id, key_id, path, key) in (
    select sub_account_id, key_id, path, key from idempotency_keys
    where expires_at <= now() limit ${BATCH} for update skip locked)`;

const PRUNE_SPENT_CHALLENGES = `
  delete from spent_challenges where (sub_account_id, id) in (
    select sub_account_id, id from spent_challenges
    where expires_at <= now() limit ${BATCH} for update skip locked)`;

/** Ids contain the time, so the primary key finds old rows. */
const pruneOlder = (table: string): string => `
  delete from ${table} where (sub_account_id, id) in (
    select old.sub_account_id, old.id from sub_accounts s
    cross join lateral (
      select sub_account_id, id from ${table}
      where sub_account_id = s.id and id < $1 order by id limit ${BATCH}
    ) as old
    limit ${BATCH})`;

const PRUNE_SUBSCRIPTIONS = `
  delete from webhook_subscriptions where (sub_account_id, id) in (
    select sub_account_id, id from webhook_subscriptions
    where deleted_at < $1 limit ${BATCH} for update skip locked)`;

/** Signals and logs of a run are deleted by cascade. */
const PRUNE_RUNS = `
  delete from workflow_runs where (sub_account_id, id) in (
    select sub_account_id, id from workflow_runs
    where finished_at < $1 order by finished_at limit ${RUNS_BATCH} for update skip locked)`;

/** Versions without runs. A run that is starting locks its version, which then stays. */
const PRUNE_VERSIONS = `
  delete from workflow_versions where (sub_account_id, id) in (
    select v.sub_account_id, v.id from workflow_versions v
    where exists (
      select from workflow_versions later
      where later.sub_account_id = v.sub_account_id and later.workflow_id = v.workflow_id
        and later.id > v.id and later.created_at < $1
    ) and not exists (
      select from workflow_runs r
      where r.sub_account_id = v.sub_account_id and r.workflow_id = v.workflow_id
        and r.version_id = v.id
    ) limit ${VERSIONS_BATCH} for update of v skip locked)`;
