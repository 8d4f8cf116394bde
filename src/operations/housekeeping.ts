import { defineJob, handle } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { pruneGivenUpJobs, REQUEUE_JOBS_FROM_AHEAD } from '#platform/queue/private-tables.ts';
import { PRUNE_RATE_WINDOWS } from '#platform/rate-limit/stores/postgres.ts';

const BATCH = 10_000;

/**
 * The retention of delivery logs, events (contract 6), receipts without a message, and approvals. Times are
 * those of the database: a worker whose clock is ahead must not delete what is in use.
 */
const MONTH_AGO = `now() - interval '30 days'`;
/** All older ids sort before it, like \`firstIdAt\`. */
const OLDEST_ID = `regexp_replace(
  lpad(to_hex((extract(epoch from ${MONTH_AGO}) * 1000)::bigint), 12, '0'),
  '^(.{8})(.{4})$', '\\1-\\2-7000-8000-000000000000')::uuid`;

export const housekeeping = defineJob({
  name: 'operations/housekeeping',
  payload: request({}),
  maxAttempts: 1,
});

/** Smaller than the others: each run has up to 200 log rows. */
const RUNS_BATCH = 500;

/** Small: for each version, the database searches all runs of its sub-account. */
const VERSIONS_BATCH = 20;

/** The number of events that a reader scans in a few milliseconds. */
const FAR_BEHIND = 10_000;

/**
 * Deletes expired rows, in batches so that no statement holds many locks. The statements name no
 * sub-account, so a cluster refuses them the locks of `for update`.
 */
export const handleHousekeeping = handle(housekeeping, async (_, { execute, signal }) => {
  const prune = async (statement: string, batchSize = BATCH) => {
    while (!signal.aborted && (await execute(statement)) === batchSize) {
      // More rows may have expired.
    }
  };
  await execute(REQUEUE_JOBS_FROM_AHEAD);
  await prune(PRUNE_IDEMPOTENCY_KEYS);
  await prune(PRUNE_RATE_WINDOWS.text);
  await prune(PRUNE_SPENT_CHALLENGES);
  await prune(PRUNE_LINKS);
  await prune(PRUNE_SESSIONS);
  await prune(PRUNE_REFRESH_TOKENS);
  await prune(PRUNE_CODES);
  await execute(PRUNE_GRANTS);
  await execute(PRUNE_GRANT_KEYS);
  await prune(PRUNE_AGENT_CALLS);
  await prune(pruneOlder('agent_approvals'));
  await prune(pruneOlder('webhook_deliveries'));
  await prune(pruneOlder('events'));
  await prune(pruneOlder('message_receipts'));
  await prune(pruneOlder('workflow_effects'));
  await prune(pruneOlder('admin_notices'));
  await prune(pruneOlder('contact_imports'));
  await prune(pruneOlder('contact_bulk_changes'));
  await execute(END_ABANDONED_IMPORTS);
  await execute(pruneEnded('contact_import_parts'));
  await execute(pruneEnded('contact_import_checkpoints'));
  await execute(END_ABANDONED_CHANGES);
  await execute(PRUNE_SAMPLES);
  await prune(PRUNE_CHANGES);
  await prune(PRUNE_PRESENCES);
  await prune(PRUNE_RUNS, RUNS_BATCH);
  await execute(PRUNE_VERSIONS);
  await prune(pruneGivenUpJobs(BATCH));
  await execute(END_SUBSCRIPTIONS);
  await prune(END_DELIVERIES);
  await prune(FAIL_WITHOUT_EVENT);
  await execute(PRUNE_ATTEMPTS);
  await execute(PRUNE_SUBSCRIPTIONS);
  await execute(WAKE_FAR_BEHIND, [FAR_BEHIND]);
});

/** Files that never became complete, and imports whose job is gone: a running one reports its progress. */
const END_ABANDONED_IMPORTS = `update contact_imports set status = 'failed', updated_at = now(),
    error = 'the import was given up; it can be started again'
  where status in ('uploading', 'running') and updated_at < now() - interval '1 day'`;
/** What imports leave that were given up, or whose worker was killed right after their end. */
const pruneEnded = (table: string): string => `delete from ${table} p using contact_imports i
  where p.sub_account_id = i.sub_account_id and p.import_id = i.id and i.status in ('done', 'failed')`;

/** Changes of many contacts whose job is gone: a running one reports its progress. */
const END_ABANDONED_CHANGES = `update contact_bulk_changes set status = 'failed', updated_at = now(),
    error = 'the change was given up; it can be started again'
  where status = 'running' and updated_at < now() - interval '1 day'`;

/** Subscriptions that agents did not refresh. */
const END_SUBSCRIPTIONS = `update webhook_subscriptions
  set deleted_at = now(), updated_at = now(), secret = '', previous_secret = null
  where expires_at <= now() and deleted_at is null`;
/** Also those of a deleted subscription whose job was lost, as after an import. */
const END_DELIVERIES = `update webhook_deliveries d
  set status = 'failed', next_attempt_at = null,
    error = case when s.expires_at <= s.deleted_at then 'the subscription has expired'
      else 'the subscription was deleted' end
  from webhook_subscriptions s
  where d.sub_account_id = s.sub_account_id and d.subscription_id = s.id
    and (d.sub_account_id, d.id) in (
      select d.sub_account_id, d.id
      from webhook_subscriptions s
      join webhook_deliveries d on d.sub_account_id = s.sub_account_id
        and d.subscription_id = s.id and d.status = 'pending'
      where s.deleted_at is not null limit ${BATCH})`;

/** Replays of an old event whose retries would be later than its deletion. */
const FAIL_WITHOUT_EVENT = `update webhook_deliveries
  set status = 'failed', next_attempt_at = null, error = 'the event is no longer stored'
  where (sub_account_id, id) in (
    select d.sub_account_id, d.id from webhook_deliveries d
    left join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id
    where d.status = 'pending' and d.next_attempt_at < now() and e.id is null limit ${BATCH})`;

const WAKE_FAR_BEHIND = 'select from wake_far_behind($1) as woken where woken > 0';

const PRUNE_IDEMPOTENCY_KEYS = `
  delete from idempotency_keys where (sub_account_id, key_id, path, key) in (
    select sub_account_id, key_id, path, key from idempotency_keys
    where expires_at <= now() limit ${BATCH})`;

const PRUNE_AGENT_CALLS = `
  delete from agent_calls where (sub_account_id, key_id, call_hash) in (
    select sub_account_id, key_id, call_hash from agent_calls
    where expires_at <= now() limit ${BATCH})`;

const PRUNE_SPENT_CHALLENGES = `
  delete from spent_challenges where (sub_account_id, id) in (
    select sub_account_id, id from spent_challenges
    where expires_at <= now() limit ${BATCH})`;

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
    where expires_at <= now() limit ${BATCH})`;

/** Codes that no program redeemed: they have expired within a minute. */
const PRUNE_CODES = `
  delete from oauth_grants where (sub_account_id, id) in (
    select sub_account_id, id from oauth_grants
    where redeemed_at is null and code_expires_at <= now() - interval '1 hour'
    limit ${BATCH})`;

/** Programs connect again and again: the keys of ended grants would fill the list. */
const ENDED_GRANTS = `from api_keys
    where kind in ('oauth_live', 'oauth_test') and least(revoked_at, expires_at) <= ${MONTH_AGO}
    order by id limit ${BATCH}`;
const PRUNE_GRANTS = `delete from oauth_grants where (sub_account_id, id) in (
    select sub_account_id, id ${ENDED_GRANTS})`;
const PRUNE_GRANT_KEYS = `delete from api_keys where id in (select id ${ENDED_GRANTS})`;

const pruneOlder = (table: string): string =>
  `select from generate_series(1, prune_older('${table}', ${OLDEST_ID}, ${BATCH}))`;

/** The table is small and not logged: reading it whole costs less than an index on the time. */
const PRUNE_CHANGES = `
  delete from changes where (sub_account_id, xid, id) in (
    select sub_account_id, xid, id from changes
    where noted_at < now() - interval '1 hour' and xid <> '0' limit ${BATCH})`;

/** Plots show a week. */
const PRUNE_SAMPLES = `delete from process_samples where minute < now() - interval '8 days'`;

const PRUNE_PRESENCES = `
  delete from presences where (sub_account_id, conversation_id, participant) in (
    select sub_account_id, conversation_id, participant from presences
    where seen_at < now() - interval '1 hour' limit ${BATCH})`;

/** Attempts have no foreign key that would delete them. */
const OLD_SUBSCRIPTIONS = `from webhook_subscriptions
    where deleted_at < ${MONTH_AGO} order by id limit ${BATCH}`;
const PRUNE_ATTEMPTS = `delete from webhook_deliveries where (sub_account_id, subscription_id) in (
    select sub_account_id, id ${OLD_SUBSCRIPTIONS})`;
const PRUNE_SUBSCRIPTIONS = `delete from webhook_subscriptions where (sub_account_id, id) in (
    select sub_account_id, id ${OLD_SUBSCRIPTIONS})`;

/** The retention of finished runs; their signals and logs are deleted by cascade. */
const PRUNE_RUNS = `
  delete from workflow_runs where (sub_account_id, id) in (
    select sub_account_id, id from workflow_runs
    where finished_at < now() - interval '90 days' order by finished_at limit ${RUNS_BATCH})`;

/** Replaced versions are kept for longer than any transaction that read them as current. */
const PRUNE_VERSIONS = `select from generate_series(1,
  prune_versions(now() - interval '1 day', ${VERSIONS_BATCH}))`;
