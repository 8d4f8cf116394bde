import { defineMigration } from '#platform/database/migrate/migration.ts';

export const requests = defineMigration('20261121030000_requests', [
  `create table idempotency_keys (
    sub_account_id uuid not null,
    key_id uuid not null,
    path text not null,
    key text not null,
    body_hash text not null,
    status integer not null,
    body text not null,
    expires_at timestamptz(3) not null,
    primary key (sub_account_id, key_id, path, key)
  )`,
  `create index idempotency_keys_by_expiry on idempotency_keys (expires_at)`,
  // One row per bucket. Unlogged: a crash only opens new windows. Half of each page stays free, so
  // that updates are HOT and the only index is never changed. `granted` is the result of the latest
  // request: before PostgreSQL 18, RETURNING cannot see the old row.
  `create unlogged table rate_windows (
  bucket text collate "C" primary key,
  allowed integer not null,
  used integer not null,
  granted integer not null,
  asked_at timestamptz not null,
  resets_at timestamptz not null
) with (fillfactor = 50)`,

  // Proposes a row with a new window for each bucket; an open window grants what fits. Buckets must
  // be distinct. They are locked in one order everywhere, so that calls do not deadlock. plpgsql
  // keeps the plan; before 18, a function in SQL is planned at each call.
  `create function spend_rates(buckets text[], costs integer[], limits integer[], window_ms bigint[])
returns table (bucket text, granted integer, remaining integer, resets_at double precision)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
  insert into rate_windows as w (bucket, allowed, used, granted, asked_at, resets_at)
  select asked.bucket, allowed, least(cost, allowed), least(cost, allowed),
         clock, clock + ms * interval '1 millisecond'
  from unnest(buckets, costs, limits, window_ms) as asked (bucket, cost, allowed, ms),
       clock_timestamp() as clock
  order by asked.bucket collate "C"
  on conflict (bucket) do update set
    allowed = excluded.allowed,
    used = case when w.resets_at <= excluded.asked_at then excluded.used
                else greatest(w.used, least(excluded.allowed, w.used + excluded.used)) end,
    granted = case when w.resets_at <= excluded.asked_at then excluded.granted
                   else greatest(0, least(excluded.granted, excluded.allowed - w.used)) end,
    asked_at = excluded.asked_at,
    resets_at = case when w.resets_at <= excluded.asked_at then excluded.resets_at
                     else w.resets_at end
  returning w.bucket, w.granted, greatest(0, w.allowed - w.used),
            round(extract(epoch from w.resets_at) * 1000)::double precision;
end $$`,
]);
