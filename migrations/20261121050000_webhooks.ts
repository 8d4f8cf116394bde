import { defineMigration } from '#platform/database/migrate/migration.ts';

export const webhooks = defineMigration('20261121050000_webhooks', [
  // `position` is how far the subscription has been served; failed events wait in
  // webhook_deliveries. `turn` is the lease: the job that serves the subscription.
  `create table webhook_subscriptions (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    url text not null,
    events text[] not null,
    description text,
    status text not null check (status in ('active', 'disabled')),
    disabled_reason text,
    secret bytea not null,
    previous_secret bytea,
    previous_until timestamptz(3),
    position bigint not null,
    consecutive_failures integer not null default 0,
    failing_since timestamptz(3),
    paused_until timestamptz(3),
    turn text,
    turn_until timestamptz,
    asked_again boolean not null default false,
    last_delivery_at timestamptz(3),
    last_success_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id),
    check ((previous_secret is null) = (previous_until is null)),
    check ((failing_since is null) = (consecutive_failures = 0))
  )`,

  // One row per attempt: made, or due at next_attempt_at. There is no reference to the event:
  // thousands of attempts are written per second, and both are deleted at the same age.
  `create table webhook_deliveries (
    sub_account_id uuid not null,
    id uuid not null,
    subscription_id uuid not null,
    event_id uuid not null,
    event text not null,
    attempt integer not null,
    trigger text not null check (trigger in ('scheduled', 'manual')),
    status text not null check (status in ('pending', 'succeeded', 'failed')),
    response_status integer,
    response_body text,
    duration_ms integer,
    error text,
    created_at timestamptz(3) not null,
    next_attempt_at timestamptz(3),
    primary key (sub_account_id, id),
    foreign key (sub_account_id, subscription_id)
      references webhook_subscriptions (sub_account_id, id) on delete cascade,
    check (status <> 'pending' or next_attempt_at is not null)
  )`,
  `create index webhook_deliveries_of_subscription
   on webhook_deliveries (sub_account_id, subscription_id, id)`,
  `create index webhook_deliveries_due
   on webhook_deliveries (sub_account_id, subscription_id, next_attempt_at)
   where status = 'pending'`,
  `create index webhook_deliveries_failed on webhook_deliveries (sub_account_id, subscription_id, id)
   where status = 'failed'`,
  `create index webhook_deliveries_of_event on webhook_deliveries (sub_account_id, event_id)`,

  // A page of events in order. The settings force an index scan: if the planner underestimates the
  // backlog, it would fetch and sort all of it for each page.
  `create function next_events(of_sub_account uuid, behind bigint, named text[], at_most integer)
   returns setof events language plpgsql stable
   set enable_bitmapscan = off set enable_sort = off set enable_seqscan = off as $$
   begin
     return query select * from events
     where sub_account_id = of_sub_account and position > behind and name = any(named)
     order by position limit at_most;
   end $$`,

  // Assigns positions to committed events, oldest first, and queues a job for every subscription
  // that wants one of them. The lock lasts until the positions are committed: the next publisher
  // assigns greater ones, so that no reader sees a smaller position appear after a greater.
  `create function publish_events(at_most integer) returns integer language plpgsql as $$
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
     ), woken as (
       select array_agg(row(
         'webhooks/deliver',
         json_build_object('subAccountId', s.sub_account_id, 'subscriptionId', s.id),
         null, now(), 25, 'webhooks/deliver:' || s.id, 0, null
       )::graphile_worker.job_spec) as specs
       from named join webhook_subscriptions s using (sub_account_id)
       where s.status = 'active' and s.deleted_at is null and s.events && named.names
         and (s.paused_until is null or s.paused_until <= now())
       having count(*) > 0
     ), queued as (
       select job.id from woken cross join lateral graphile_worker.add_jobs(woken.specs) as job
     )
     select count(*), (select count(*) from queued) from placed into published;
     return published;
   end $$`,
]);
