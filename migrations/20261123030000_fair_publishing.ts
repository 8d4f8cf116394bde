import { defineMigration } from '#platform/database/migrate/migration.ts';

export const fairPublishing = defineMigration('20261123030000_fair_publishing', [
  // Finds the oldest events of one sub-account, and the next sub-account that has any.
  `create index outbox_by_sub_account on outbox (sub_account_id, id)`,
  `drop index outbox_by_age`,

  // Returns the next outbox rows to publish, in equal shares for every sub-account that waits, so that
  // a flood in one sub-account does not delay the events of another. Fewer than at_most are returned
  // only when no others wait. With more sub-accounts than at_most, the longest-waiting come first.
  // Without the setting, a plan made while the outbox was empty would read all of it for each batch.
  `create function next_unpublished(at_most integer) returns tid[] language plpgsql stable
   set enable_seqscan = off set enable_bitmapscan = off as $$
   declare
     accounts uuid[];
     share integer;
     is_more boolean;
     picked tid[];
   begin
     with recursive waiting as (
       (select sub_account_id, id from outbox order by sub_account_id, id limit 1)
       union all
       select next.sub_account_id, next.id from waiting cross join lateral (
         select o.sub_account_id, o.id from outbox o
         where o.sub_account_id > waiting.sub_account_id
         order by o.sub_account_id, o.id limit 1
       ) as next
     )
     select array_agg(sub_account_id)
     from (select sub_account_id from waiting order by id limit at_most) as oldest into accounts;
     if accounts is null then
       return '{}';
     end if;
     share := greatest(1, at_most / cardinality(accounts));
     loop
       select array_agg(event.ctid order by event.nth, event.id), max(event.nth) = share
       from unnest(accounts) as account cross join lateral (
         select o.ctid, o.id, row_number() over (order by o.id) as nth
         from outbox o where o.sub_account_id = account order by o.id limit share
       ) as event into picked, is_more;
       exit when not is_more or cardinality(picked) >= at_most;
       share := share * 2;
     end loop;
     return picked[1:at_most];
   end $$`,

  // Adds jobs without waiting for a worker. While a worker claims or completes the job that has the
  // key, that row is locked: waiting for several such rows deadlocks with a worker that completes
  // several jobs in one statement. The new job is then added without a key; handlers accept a second
  // job for the same subscription or sub-account.
  `create function add_jobs_without_waiting(specs graphile_worker.job_spec[]) returns void
   language plpgsql as $$
   declare
     keys text[] := array(select job_key from unnest(specs));
     busy text[];
   begin
     with present as materialized (
       select key from graphile_worker._private_jobs where key = any (keys)
     ), locked as materialized (
       select key from graphile_worker._private_jobs where key = any (keys)
       order by id for update skip locked
     )
     select array(select key from present except select key from locked) into busy;
     perform graphile_worker.add_jobs(array(
       select row(identifier, payload, queue_name, run_at, max_attempts,
         case when job_key <> all (busy) then job_key end, priority, flags
       )::graphile_worker.job_spec
       from unnest(specs)
     ));
   end $$`,

  // Moves outbox rows into events, oldest first, and queues a job for every subscription and every
  // workflow reader that wants one of them. The caller holds the lock of publish_events.
  `create function publish_rows(picked tid[]) returns integer language plpgsql as $$
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
       where s.status = 'active' and s.deleted_at is null and s.events && named.names
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

  // Gives positions to committed events. The lock lasts until the positions are committed: the next
  // publisher assigns greater ones, so that no reader sees a smaller position appear after a greater.
  `create or replace function publish_events(at_most integer) returns integer language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(5771003);
     return publish_rows(next_unpublished(at_most));
   end $$`,

  // The same for one sub-account, for a request that needs its latest events now.
  `create function publish_events_of(of_sub_account uuid, at_most integer) returns integer
   language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
   begin
     perform pg_advisory_xact_lock(5771003);
     return publish_rows(array(
       select ctid from outbox where sub_account_id = of_sub_account order by id limit at_most
     ));
   end $$`,

  // Queues a job for every subscription and workflow reader that has more than far events to look
  // through since it last read. Publishing wakes a reader only for events that it wants: a reader of
  // rare events would otherwise have to look through all events since the last of them.
  `create function wake_far_behind(far integer) returns integer language plpgsql as $$
   declare specs graphile_worker.job_spec[];
   begin
     with reader as (
       select 'webhooks/deliver' as task, id::text as subject, sub_account_id, position,
         json_build_object('subAccountId', sub_account_id, 'subscriptionId', id) as payload
       from webhook_subscriptions
       where status = 'active' and deleted_at is null
         and (paused_until is null or paused_until <= now())
       union all
       select 'workflows/read-events', sub_account_id::text, sub_account_id, position,
         json_build_object('subAccountId', sub_account_id)
       from workflow_readers where names <> '{}'
     )
     select array_agg(row(
       task, payload, null, now(), 25, task || ':' || subject, 0, null
     )::graphile_worker.job_spec order by task, subject)
     from reader
     where exists (
       select from events e
       where e.sub_account_id = reader.sub_account_id and e.position > reader.position
       order by e.position offset far limit 1
     ) into specs;
     if specs is not null then
       perform add_jobs_without_waiting(specs);
     end if;
     return coalesce(cardinality(specs), 0);
   end $$`,
]);
