import { defineMigration } from '#platform/database/migrate/migration.ts';

export const orderedJobLocks = defineMigration('20261123020000_ordered_job_locks', [
  // Queues jobs that may run now, one per key, and returns how many. graphile_worker.add_jobs changes
  // the rows of running jobs with these keys in whatever order the planner picks, while the workers
  // delete the same rows: the rows are locked first, in the order of ids, as in every statement over
  // several jobs. New keys are inserted in their own order.
  `create function queue_jobs(tasks text[], keys text[], payloads json[], max_attempts integer default 25)
   returns integer language plpgsql as $$
   declare queued integer;
   begin
     if coalesce(cardinality(keys), 0) = 0 then
       return 0;
     end if;
     perform from graphile_worker._private_jobs where key = any(keys) order by id for update;
     select count(*) into queued from graphile_worker.add_jobs((
       select array_agg(
         row(task, payload, null, now(), max_attempts, key, 0, null)::graphile_worker.job_spec
         order by key
       )
       from unnest(tasks, keys, payloads) as wanted (task, key, payload)
     ));
     return queued;
   end $$`,

  // As before, but its jobs are queued by queue_jobs.
  `create or replace function wake_workflow_runs(at timestamptz, at_most integer) returns integer
   language plpgsql as $$
   declare found integer;
   begin
     with due as (
       select sub_account_id, id from workflow_runs
       where wake_at <= at order by wake_at limit at_most for update skip locked
     ), woken as (
       update workflow_runs r set wake_at = null from due
       where r.sub_account_id = due.sub_account_id and r.id = due.id
       returning r.sub_account_id, r.id
     ), queued as (
       select queue_jobs(
         array_agg('workflows/advance'::text), array_agg('workflows/advance:' || id),
         array_agg(json_build_object('subAccountId', sub_account_id, 'runId', id))
       ) as jobs
       from woken
     )
     select count(*), (select jobs from queued) from woken into found;
     return found;
   end $$`,

  // As before, but the jobs for subscriptions and workflows are queued by one call of queue_jobs.
  `create or replace function publish_events(at_most integer) returns integer language plpgsql as $$
   declare published integer;
   begin
     perform pg_advisory_xact_lock(5771003);
     with taken as (
       delete from outbox
       where ctid = any (array(select ctid from outbox order by id limit at_most))
       returning *
     ), placed as (
       insert into events (sub_account_id, id, position, name, contact_id, data, occurred_at)
       select sub_account_id, id, nextval('event_positions'), name, contact_id, data, occurred_at
       from (select * from taken order by id) as ordered
       returning sub_account_id, name
     ), named as (
       select sub_account_id, array_agg(distinct name) as names from placed group by 1
     ), wanted as (
       select 'webhooks/deliver' as task, 'webhooks/deliver:' || s.id as key,
         json_build_object('subAccountId', s.sub_account_id, 'subscriptionId', s.id) as payload
       from named join webhook_subscriptions s using (sub_account_id)
       where s.status = 'active' and s.deleted_at is null
         and s.events && named.names
         and (s.paused_until is null or s.paused_until <= now())
       union all
       select 'workflows/read-events', 'workflows/read-events:' || r.sub_account_id,
         json_build_object('subAccountId', r.sub_account_id)
       from named join workflow_readers r using (sub_account_id)
       where r.names && named.names
     ), queued as (
       select queue_jobs(array_agg(task), array_agg(key), array_agg(payload)) as jobs from wanted
     )
     select count(*), (select jobs from queued) from placed into published;
     return published;
   end $$`,
]);
