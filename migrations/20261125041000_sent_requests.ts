import { defineMigration } from '#platform/database/migrate/migration.ts';

export const sentRequests = defineMigration('20261125041000_sent_requests', [
  // Where an attempt was sent, when and in whose name, and the headers of the response, at most 2 kB: what
  // the event and the subscription do not tell later. Null in attempts of earlier releases.
  `alter table webhook_deliveries add column sent jsonb`,
  `create or replace function record_attempts(of_sub_account uuid, of_subscription uuid,
     served_to bigint, succeeded_at timestamptz, failures integer, failed_at timestamptz,
     pause timestamptz, attempted_at timestamptz, attempts json) returns void language plpgsql as $$
   begin
     update webhook_subscriptions set position = greatest(position, served_to),
       consecutive_failures = failures
         + case when succeeded_at is null then consecutive_failures else 0 end,
       failing_since = coalesce(case when succeeded_at is null then failing_since end, failed_at),
       paused_until = case when attempted_at is null then paused_until else pause end,
       last_delivery_at = coalesce(attempted_at, last_delivery_at),
       last_success_at = coalesce(succeeded_at, last_success_at)
     where sub_account_id = of_sub_account and id = of_subscription;
     if not found then
       return;
     end if;
     insert into webhook_deliveries (sub_account_id, subscription_id, id, event_id, event, attempt,
       trigger, status, response_status, response_body, duration_ms, error, created_at,
       next_attempt_at, sent)
     select of_sub_account, of_subscription, row.*
     from json_to_recordset(attempts) as row (id uuid, event_id uuid, event text, attempt integer,
       trigger text, status text, response_status integer, response_body text,
       duration_ms integer, error text, created_at timestamptz, next_attempt_at timestamptz,
       sent jsonb)
     on conflict (sub_account_id, id) do update set status = excluded.status,
       response_status = excluded.response_status, response_body = excluded.response_body,
       duration_ms = excluded.duration_ms, error = excluded.error,
       next_attempt_at = excluded.next_attempt_at, sent = excluded.sent;
   end $$`,
]);
