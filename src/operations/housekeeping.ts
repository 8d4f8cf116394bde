import { firstIdAt } from '#lib/id.ts';
import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';
import { pruneGivenUpJobs } from '#platform/queue/private-tables.ts';
import { PRUNE_RATE_WINDOWS } from '#platform/rate-limit/stores/postgres.ts';

const BATCH = 10_000;

/** The retention of delivery logs, events (contract 6), receipts without a message, and approvals. */
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
  await prune(PRUNE_LINKS);
  await prune(PRUNE_SESSIONS);
  await prune(PRUNE_REFRESH_TOKENS);
  await prune(PRUNE_CODES);
  await prune(PRUNE_GRANTS, [new Date(clock().getTime() - KEPT_MS)]);
  await prune(PRUNE_AGENT_CALLS);
  await prune(pruneOlder('agent_approvals'), [oldest]);
  await prune(pruneOlder('webhook_deliveries'), [oldest]);
  await prune(pruneOlder('events'), [oldest]);
  await prune(pruneOlder('message_receipts'), [oldest]);
  await prune(pruneOlder('workflow_effects'), [oldest]);
  await prune(pruneOlder('admin_notices'), [oldest]);
  await prune(pruneOlder('contact_imports'), [oldest]);
  await prune(pruneOlder('contact_bulk_changes'), [oldest]);
  await execute(END_ABANDONED_IMPORTS);
  await execute(END_ABANDONED_CHANGES);
  await execute(PRUNE_SAMPLES);
  await prune(PRUNE_CHANGES);
  await prune(PRUNE_PRESENCES);
  await prune(PRUNE_RUNS, [new Date(clock().getTime() - RUNS_KEPT_MS)], RUNS_BATCH);
  await execute(PRUNE_VERSIONS, [new Date(clock().getTime() - VERSIONS_KEPT_MS)]);
  await prune(pruneGivenUpJobs(BATCH));
  await execute(END_SUBSCRIPTIONS);
  await prune(PRUNE_SUBSCRIPTIONS, [new Date(clock().getTime() - KEPT_MS)]);
  await execute(WAKE_FAR_BEHIND, [FAR_BEHIND]);
});

/** Files that never became complete, and imports whose job is gone: a running one reports its progress. */
const END_ABANDONED_IMPORTS = `
  with ended as (
    update contact_imports set status = 'failed', updated_at = now(),
      error = 'the import was given up; it can be started again'
    where status in ('uploading', 'running') and updated_at < now() - interval '1 day'
    returning sub_account_id, id
  )
  delete from contact_import_parts p using ended e
  where p.sub_account_id = e.sub_account_id and p.import_id = e.id`;

/** Changes of many contacts whose job is gone: a running one reports its progress. */
const END_ABANDONED_CHANGES = `update contact_bulk_changes set status = 'failed', updated_at = now(),
    error = 'the change was given up; it can be started again'
  where status = 'running' and updated_at < now() - interval '1 day'`;

/** Subscriptions that agents did not refresh. */
const END_SUBSCRIPTIONS = `
  with ended as (
    update webhook_subscriptions
    set deleted_at = now(), updated_at = now(), secret = '', previous_secret = null
    where expires_at <= now() and deleted_at is null
    returning sub_account_id, id
  )
  update webhook_deliveries d
  set status = 'failed', error = 'the subscription has expired', next_attempt_at = null
  from ended e
  where d.sub_account_id = e.sub_account_id and d.subscription_id = e.id and d.status = 'pending'`;

const WAKE_FAR_BEHIND = 'select from wake_far_behind($1) as woken where woken > 0';

const PRUNE_IDEMPOTENCY_KEYS = `
  delete from idempotency_keys where (sub_account_id, key_id, path, key) in (
    select sub_account_id, key_id, path, key from idempotency_keys
    where expires_at <= now() limit ${BATCH} for update skip locked)`;

const PRUNE_AGENT_CALLS = `
  delete from agent_calls where (sub_account_id, key_id, call_hash) in (
    select sub_account_id, key_id, call_hash from agent_calls
    where expires_at <= now() limit ${BATCH} for update skip locked)`;

const PRUNE_SPENT_CHALLENGES = `
  delete from spent_challenges where (sub_account_id, id) in (
    select sub_account_id, id from spent_challenges
    where expires_at <= now() limit ${BATCH} for update skip locked)`;

/** Kept for an hour after they expire: mails are counted by them. */
const PRUNE_LINKS = `
  delete from sign_in_links where token_hash in (
    select token_hash from sign_in_links
    where expires_at <= now() - interval '1 hour' limit ${BATCH} for update skip locked)`;

const PRUNE_SESSIONS = `
  delete from user_sessions where id in (
    select id from user_sessions
    where last_seen_at <= now() - interval '12 hours' or created_at <= now() - interval '30 days'
    limit ${BATCH} for update skip locked)`;

const PRUNE_REFRESH_TOKENS = `
  delete from oauth_refresh_tokens where (sub_account_id, token_hash) in (
    select sub_account_id, token_hash from oauth_refresh_tokens
    where expires_at <= now() limit ${BATCH} for update skip locked)`;

/** Codes that no program redeemed: they have expired within a minute. */
const PRUNE_CODES = `
  delete from oauth_grants where (sub_account_id, id) in (
    select sub_account_id, id from oauth_grants
    where redeemed_at is null and code_expires_at <= now() - interval '1 hour'
    limit ${BATCH} for update skip locked)`;

/** Programs connect again and again: the keys of ended grants would fill the list. */
const PRUNE_GRANTS = `
  with ended as materialized (
    select id, sub_account_id from api_keys
    where kind in ('oauth_live', 'oauth_test') and least(revoked_at, expires_at) <= $1
    limit ${BATCH} for update skip locked
  ), grants as (
    delete from oauth_grants g using ended e
    where g.sub_account_id = e.sub_account_id and g.id = e.id
  )
  delete from api_keys k using ended e where k.id = e.id`;

/** Ids contain the time, so the primary key finds old rows. */
const pruneOlder = (table: string): string => `
  delete from ${table} where (sub_account_id, id) in (
    select old.sub_account_id, old.id from sub_accounts s
    cross join lateral (
      select sub_account_id, id from ${table}
      where sub_account_id = s.id and id < $1 order by id limit ${BATCH}
    ) as old
    limit ${BATCH})`;

/** The table is small and not logged: reading it whole costs less than an index on the time. */
const PRUNE_CHANGES = `
  delete from changes where ctid = any(array(
    select ctid from changes
    where noted_at < now() - interval '1 hour' and xid <> '0' limit ${BATCH}))`;

/** Plots show a week. */
const PRUNE_SAMPLES = `delete from process_samples where minute < now() - interval '8 days'`;

const PRUNE_PRESENCES = `
  delete from presences where ctid = any(array(
    select ctid from presences where seen_at < now() - interval '1 hour' limit ${BATCH}))`;

/** Attempts have no foreign key that would delete them. */
const PRUNE_SUBSCRIPTIONS = `
  with old as materialized (
    select sub_account_id, id from webhook_subscriptions
    where deleted_at < $1 limit ${BATCH} for update skip locked
  ), attempts as (
    delete from webhook_deliveries d using old
    where d.sub_account_id = old.sub_account_id and d.subscription_id = old.id
  )
  delete from webhook_subscriptions s using old
  where s.sub_account_id = old.sub_account_id and s.id = old.id`;

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
