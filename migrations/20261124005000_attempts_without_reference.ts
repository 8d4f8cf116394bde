import { defineMigration } from '#platform/database/migrate/migration.ts';

export const attemptsWithoutReference = defineMigration(
  '20261124005000_attempts_without_reference',
  [
    // Thousands of attempts are written per second, and checking the subscription of each one took a
    // quarter of their insert. record_attempts checks and locks it once for a batch.
    `alter table webhook_deliveries
     drop constraint webhook_deliveries_sub_account_id_subscription_id_fkey`,

    // Writes a batch of attempts and the state of the subscription after them; nothing if the
    // subscription is gone. Its row is locked first, so a purge waits for the attempts. Counters change
    // by differences: a concurrent reset by a caller stays effective.
    `create function record_attempts(of_sub_account uuid, of_subscription uuid, served_to bigint,
       succeeded_at timestamptz, failures integer, failed_at timestamptz, pause timestamptz,
       attempted_at timestamptz, attempts json) returns void language plpgsql as $$
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
         next_attempt_at)
       select of_sub_account, of_subscription, row.*
       from json_to_recordset(attempts) as row (id uuid, event_id uuid, event text, attempt integer,
         trigger text, status text, response_status integer, response_body text,
         duration_ms integer, error text, created_at timestamptz, next_attempt_at timestamptz)
       on conflict (sub_account_id, id) do update set status = excluded.status,
         response_status = excluded.response_status, response_body = excluded.response_body,
         duration_ms = excluded.duration_ms, error = excluded.error,
         next_attempt_at = excluded.next_attempt_at;
     end $$`,
  ],
);
