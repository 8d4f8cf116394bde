import { defineMigration } from '#platform/database/migrate/migration.ts';

export const commitOrder = defineMigration('20261201003000_commit_order', [
  // The clock of the database when an event is written, after its change has locked the record. Ids come from
  // the clocks of servers. Servers of the earlier release write it, too.
  'alter table outbox add written_at timestamptz',
  'alter table outbox alter written_at set default clock_timestamp()',

  // As before, in the order in which the changes of a record were committed.
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
       from (select * from taken order by written_at nulls first, id) as ordered
       returning sub_account_id, name, contact_id
     ), marked as (
       insert into engagement_marks (sub_account_id, contact_id)
       select distinct sub_account_id, contact_id from placed
       where contact_id is not null and name in ('message.received', 'form.submitted',
         'appointment.completed', 'appointment.no_show', 'appointment.cancelled',
         'opportunity.created', 'opportunity.updated', 'opportunity.deleted')
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
