import { firstIdAt } from '#lib/id.ts';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';
import { pruneGivenUpJobs } from '#platform/queue/private-tables.ts';
import { PRUNE_RATE_WINDOWS } from '#platform/rate-limit/stores/postgres.ts';

const BITE = 10_000;

/** Logs of deliveries, the events they are about (contract 6), and receipts that fit no message. */
const KEPT_MS = 30 * DAY_MS;

export const housekeeping = defineJob({
  name: 'operations/housekeeping',
  payload: request({}),
  maxAttempts: 1,
});

/** Runs of workflows that are over, with the logs of their steps. Nothing asks for them but people. */
const RUNS_KEPT_MS = 90 * DAY_MS;
/** Smaller, for a run takes up to 200 lines of its log along. */
const RUNS_BITE = 500;

/** Steps of workflows since they were replaced: no work that read them as the current ones lasts so long. */
const VERSIONS_KEPT_MS = DAY_MS;
/** Of each the database looks through all the runs of its sub-account; others are for the next time. */
const VERSIONS_BITE = 20;

/** Events that a reader looks through in a few milliseconds. */
const FAR_BEHIND = 10_000;

/** Deletes what has expired, in bites so that no statement holds many locks. */
export const handleHousekeeping = handle(housekeeping, async (_, { execute, clock, signal }) => {
  const oldest = firstIdAt(new Date(clock().getTime() - KEPT_MS));
  const prune = async (statement: string, values: readonly unknown[] = [], bite = BITE) => {
    while (!signal.aborted && (await execute(statement, values)) === bite) {
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
  await prune(pruneOlder('admin_notices'), [oldest]);
  await prune(PRUNE_RUNS, [new Date(clock().getTime() - RUNS_KEPT_MS)], RUNS_BITE);
  await execute(PRUNE_VERSIONS, [new Date(clock().getTime() - VERSIONS_KEPT_MS)]);
  await prune(pruneGivenUpJobs(BITE));
  await prune(PRUNE_SUBSCRIPTIONS, [new Date(clock().getTime() - KEPT_MS)]);
  await execute(WAKE_FAR_BEHIND, [FAR_BEHIND]);
});

const WAKE_FAR_BEHIND = 'select from wake_far_behind($1) as woken where woken > 0';

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

/** What a run was signalled, and its log, go with it. */
const PRUNE_RUNS = `
  delete from workflow_runs where (sub_account_id, id) in (
    select sub_account_id, id from workflow_runs
    where finished_at < $1 order by finished_at limit ${RUNS_BITE} for update skip locked)`;

/** On which no run is, or was. One that a run begins on at this moment is locked by that, and stays. */
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
    ) limit ${VERSIONS_BITE} for update of v skip locked)`;
