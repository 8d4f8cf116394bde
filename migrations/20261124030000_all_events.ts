import { defineMigration } from '#platform/database/migrate/migration.ts';

export const allEvents = defineMigration('20261124030000_all_events', [
  // Names may now be null: every event. The settings force an index scan: if the planner
  // underestimates the backlog, it would fetch and sort all of it for each page.
  `create or replace function next_events(
     of_sub_account uuid, behind bigint, named text[], at_most integer
   ) returns setof events language plpgsql stable
   set enable_bitmapscan = off set enable_sort = off set enable_seqscan = off as $$
   begin
     if named is null then
       return query select * from events
       where sub_account_id = of_sub_account and position > behind
       order by position limit at_most;
     else
       return query select * from events
       where sub_account_id = of_sub_account and position > behind and name = any(named)
       order by position limit at_most;
     end if;
   end $$`,

  // The same as before, and also wakes the subscriptions to all events, '*'.
  `create or replace function publish_rows(picked tid[]) returns integer language plpgsql as $$
   declare
     published integer;
     specs graphile_worker.job_spec[];
   begin
     with taken as (
       delete from outbox where ctid = any (picked) returning *
     ), placed as (
       insert into events (sub_account_id, id, position, name, contact_id, data, occurred_at)
       select sub_account_id, id, nextval('event_positions'), name, contact_id, data, occurred_at
       from (select * from taken order by id) as ordered
       returning sub_account_id, name
     ), named as (
       select sub_account_id, array_agg(distinct name) as names from placed group by 1
     ), wanted as (
       select 'webhooks/deliver' as task, s.id::text as subject,
         json_build_object('subAccountId', s.sub_account_id, 'subscriptionId', s.id) as payload
       from named join webhook_subscriptions s using (sub_account_id)
       where s.status = 'active' and s.deleted_at is null
         and (s.events && named.names or '*' = any (s.events))
         and (s.paused_until is null or s.paused_until <= now())
       union all
       select 'workflows/read-events', r.sub_account_id::text,
         json_build_object('subAccountId', r.sub_account_id)
       from named join workflow_readers r using (sub_account_id)
       where r.names && named.names
     )
     select (select count(*) from placed), array_agg(row(
       task, payload, null, now(), 25, task || ':' || subject, 0, null
     )::graphile_worker.job_spec order by task, subject)
     from wanted into published, specs;
     if specs is not null then
       perform add_jobs_without_waiting(specs);
     end if;
     return published;
   end $$`,
]);
