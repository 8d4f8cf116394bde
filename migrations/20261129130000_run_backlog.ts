import { defineMigration } from '#platform/database/migrate/migration.ts';

export const runBacklog = defineMigration('20261129130000_run_backlog', [
  // When a run became due, while it waits for room in the queue.
  `alter table workflow_runs add column backlogged_at timestamptz(3)`,
  `create index workflow_runs_backlog on workflow_runs (sub_account_id, backlogged_at, id)
   where backlogged_at is not null`,

  // Returns how many more runs of a sub-account may be queued: a worker whose places a sub-account
  // uses up reads all of its due jobs at each fetch. Jobs that failed and are retried later do not
  // count. The keys of a sub-account are a range of their index; without the settings, a plan made
  // while the queue was small would read all of it.
  `create function room_for_runs(of_sub_account uuid) returns integer language plpgsql stable
   set enable_seqscan = off set enable_bitmapscan = off as $$
   declare
     most constant integer := 200;
     prefix text := 'workflows/advance:' || of_sub_account || ':';
   begin
     return most - count(*) from (
       select from graphile_worker._private_jobs
       where key between prefix || '00000000-0000-0000-0000-000000000000'
           and prefix || 'ffffffff-ffff-ffff-ffff-ffffffffffff'
         and (locked_at is not null
           or (attempts < max_attempts and (attempts = 0 or run_at <= now())))
       limit most
     ) as queued;
   end $$`,

  // Whether runs of a sub-account wait for room. Without the settings, the backlog of one sub-account
  // makes the planner expect some of every other, and read the whole table for the first.
  `create function has_run_backlog(of_sub_account uuid) returns boolean language plpgsql stable
   set enable_seqscan = off set enable_bitmapscan = off as $$
   begin
     return exists (
       select from workflow_runs where sub_account_id = of_sub_account and backlogged_at is not null
     );
   end $$`,

  // Queues runs of a sub-account to continue now, as far as there is room. The others, and all of
  // them while earlier ones wait, join the backlog. Returns how many were queued.
  `create function queue_runs(of_sub_account uuid, runs uuid[]) returns integer
   language plpgsql as $$
   declare
     room integer := 0;
     queued uuid[];
   begin
     if not has_run_backlog(of_sub_account) then
       room := room_for_runs(of_sub_account);
     end if;
     queued := runs[1:room];
     if cardinality(runs) > room then
       update workflow_runs set backlogged_at = coalesce(backlogged_at, now())
       where sub_account_id = of_sub_account and id = any (runs[room + 1:]);
     end if;
     return queue_jobs(
       array(select 'workflows/advance'::text from unnest(queued)),
       array(select 'workflows/advance:' || of_sub_account || ':' || run
         from unnest(queued) as run),
       array(select json_build_object('subAccountId', of_sub_account, 'runId', run)
         from unnest(queued) as run)
     );
   end $$`,

  // Moves runs whose wait is over to the backlog, and queues those of the backlog for which there is
  // room, oldest first. Returns at_most if others may follow. One process at a time does this: two
  // would both fill the same room.
  `create or replace function wake_workflow_runs(at timestamptz, at_most integer) returns integer
   language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
   declare
     moved integer;
     queued integer;
   begin
     if not pg_try_advisory_xact_lock(5771004) then
       return 0;
     end if;
     with due as materialized (
       select sub_account_id, id from workflow_runs
       where wake_at <= at order by wake_at limit at_most for update skip locked
     )
     update workflow_runs r
     set backlogged_at = coalesce(r.backlogged_at, r.wake_at), wake_at = null
     from due where r.sub_account_id = due.sub_account_id and r.id = due.id;
     get diagnostics moved = row_count;
     with recursive waiting as (
       (select sub_account_id from workflow_runs where backlogged_at is not null
        order by sub_account_id limit 1)
       union all
       select next.sub_account_id from waiting cross join lateral (
         select r.sub_account_id from workflow_runs r
         where r.sub_account_id > waiting.sub_account_id and r.backlogged_at is not null
         order by r.sub_account_id limit 1
       ) as next
     ), picked as materialized (
       select run.sub_account_id, run.id
       from waiting cross join lateral (
         select r.sub_account_id, r.id from workflow_runs r
         where r.sub_account_id = waiting.sub_account_id and r.backlogged_at is not null
         order by r.backlogged_at, r.id limit room_for_runs(waiting.sub_account_id)
         for update skip locked
       ) as run
       limit at_most
     ), admitted as (
       update workflow_runs r set backlogged_at = null from picked
       where r.sub_account_id = picked.sub_account_id and r.id = picked.id
       returning r.sub_account_id, r.id
     )
     select count(*), queue_jobs(
       array_agg('workflows/advance'::text),
       array_agg('workflows/advance:' || sub_account_id || ':' || id),
       array_agg(json_build_object('subAccountId', sub_account_id, 'runId', id))
     ) from admitted into queued;
     return greatest(moved, queued);
   end $$`,
]);
