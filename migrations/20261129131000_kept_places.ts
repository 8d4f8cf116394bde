import { defineMigration } from '#platform/database/migrate/migration.ts';

export const keptPlaces = defineMigration('20261129131000_kept_places', [
  // The same as before, but a job that is due already keeps its place in the queue: each batch of
  // events would move the job of a busy subscription behind all jobs that were queued meanwhile.
  `create or replace function add_jobs_without_waiting(specs graphile_worker.job_spec[]) returns void
   language plpgsql as $$
   declare
     keys text[] := array(select job_key from unnest(specs));
     busy text[];
     places jsonb;
   begin
     with present as materialized (
       select key from graphile_worker._private_jobs where key = any (keys)
     ), locked as materialized (
       select key, run_at, is_available from graphile_worker._private_jobs where key = any (keys)
       order by id for update skip locked
     )
     select array(select key from present except select key from locked),
       (select jsonb_object_agg(key, run_at) from locked where is_available)
     into busy, places;
     perform graphile_worker.add_jobs(array(
       select row(identifier, payload, queue_name, least(run_at, (places ->> job_key)::timestamptz),
         max_attempts, case when job_key <> all (busy) then job_key end, priority, flags
       )::graphile_worker.job_spec
       from unnest(specs)
     ));
   end $$`,
]);
