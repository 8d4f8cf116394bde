import { defineMigration } from '#platform/database/migrate/migration.ts';

/**
 * SQL: the window has ended. A window that ends later than a new window would was opened by a clock that was
 * ahead. `asked_at` is from before the row was locked, by when another call may have opened a window.
 */
const HAS_ENDED = `w.resets_at <= excluded.asked_at
      or w.resets_at > clock_timestamp() + (excluded.resets_at - excluded.asked_at)`;

export const windowsAhead = defineMigration('20261130100000_windows_ahead', [
  `create or replace function spend_rates(
  buckets text[], costs integer[], limits integer[], window_ms bigint[])
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
    used = case when ${HAS_ENDED} then excluded.used
                else greatest(w.used, least(excluded.allowed, w.used + excluded.used)) end,
    granted = case when ${HAS_ENDED} then excluded.granted
                   else greatest(0, least(excluded.granted, excluded.allowed - w.used)) end,
    asked_at = excluded.asked_at,
    resets_at = case when ${HAS_ENDED} then excluded.resets_at
                     else w.resets_at end
  returning w.bucket, w.granted, greatest(0, w.allowed - w.used),
            round(extract(epoch from w.resets_at) * 1000)::double precision;
end $$`,
]);
