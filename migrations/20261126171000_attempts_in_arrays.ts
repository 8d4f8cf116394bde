import { defineMigration } from '#platform/database/migrate/migration.ts';

export const attemptsInArrays = defineMigration('20261126171000_attempts_in_arrays', [
  // As record_attempts does, with an array per column: reading the rows from JSON took more than half of
  // the time. Workers of earlier releases, which may still run while this release starts, call
  // record_attempts.
  `create function log_attempts(of_sub_account uuid, of_subscription uuid, served_to bigint,
     succeeded_at timestamptz, failures integer, failed_at timestamptz, pause timestamptz,
     attempted_at timestamptz, ids uuid[], event_ids uuid[], events text[], numbers integer[],
     triggers text[], statuses text[], response_statuses integer[], response_bodies text[],
     durations integer[], errors text[], made_at timestamptz[], due_at timestamptz[],
     requests jsonb[]) returns void language plpgsql as $$
   begin
     update webhook_subscriptions set position = greatest(position, served_to),
       consecutive_failures = failures
         + case when succeeded_at is null then consecutive_failures else 0 end,
       failing_since = coalesce(case when succeeded_at is null then failing_since end, failed_at),
       paused_until = case when attempted_at is null then paused_until else pause end,
       last_delivery_at = coalesce(attempted_at, last_delivery_at),
       last_success_at = coalesce(succeeded_at, last_success_at)
     where sub_account_id = of_sub_account and id = of_subscription;
     if not found or cardinality(ids) = 0 then
       return;
     end if;
     insert into webhook_deliveries (sub_account_id, subscription_id, id, event_id, event, attempt,
       trigger, status, response_status, response_body, duration_ms, error, created_at,
       next_attempt_at, sent)
     select of_sub_account, of_subscription, row.*
     from unnest(ids, event_ids, events, numbers, triggers, statuses, response_statuses,
       response_bodies, durations, errors, made_at, due_at, requests) as row
     on conflict (sub_account_id, id) do update set status = excluded.status,
       response_status = excluded.response_status, response_body = excluded.response_body,
       duration_ms = excluded.duration_ms, error = excluded.error,
       next_attempt_at = excluded.next_attempt_at, sent = excluded.sent;
   end $$`,
]);
