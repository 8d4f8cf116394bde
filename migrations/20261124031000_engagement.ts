import { defineMigration } from '#platform/database/migrate/migration.ts';

export const engagement = defineMigration('20261124031000_engagement', [
  // Contacts whose score has to be computed again. A contact may have several rows: publishing never
  // waits for a job that deletes them. No reference to the contact, which publishing would lock.
  `create table engagement_marks (
    sub_account_id uuid not null,
    id uuid not null default gen_random_uuid(),
    contact_id uuid not null,
    primary key (sub_account_id, id)
  )`,

  // The contacts that have a score, and when it was computed: scores decay every day.
  `create table engagement_scores (
    sub_account_id uuid not null,
    contact_id uuid not null,
    scored_at timestamptz(3) not null,
    primary key (sub_account_id, contact_id),
    constraint engagement_scores_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id)
  )`,
  `create index engagement_scores_by_age on engagement_scores (scored_at)`,

  // Scores of what happened before this release.
  `insert into engagement_marks (sub_account_id, contact_id)
   select sub_account_id, contact_id from conversations
   where deleted_at is null and last_message_at > now() - interval '90 days'
   union
   select sub_account_id, contact_id from appointments
   where status = 'completed' and contact_id is not null and start_time > now() - interval '90 days'
   union
   select sub_account_id, contact_id from form_submissions
   where contact_id is not null and created_at > now() - interval '90 days'
   union
   select sub_account_id, contact_id from opportunities
   where deleted_at is null and created_at > now() - interval '90 days'`,

  // The same as before, and also marks the contacts of events that change a score.
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
