import { defineMigration } from '#platform/database/migrate/migration.ts';

export const workflows = defineMigration('20261121200000_workflows', [
  // Slugs are looked up without the sub-account; calls check whether two share one.
  // `since_position`: earlier events are ignored by the workflow.
  `create table workflows (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    slug text not null,
    name text not null,
    active boolean not null,
    reenter boolean not null,
    create_contact boolean not null,
    triggers json not null,
    listens_to text[] not null,
    since_position bigint not null,
    secret bytea,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id)
  )`,
  `create unique index workflows_slugs on workflows (sub_account_id, slug) where deleted_at is null`,
  `create index workflows_called_by on workflows (slug) where active and deleted_at is null`,

  // Never changed: a run keeps the version it started with. The latest is the current one.
  `create table workflow_versions (
    sub_account_id uuid not null,
    id uuid not null,
    workflow_id uuid not null,
    steps json not null,
    goals text[] not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, workflow_id) references workflows (sub_account_id, id)
  )`,
  `create index workflow_versions_of_workflow
   on workflow_versions (sub_account_id, workflow_id, id)`,

  // `place` is the next step, as a JSON pointer into the version's steps. `due_at` is the end of
  // its wait; `wake_at` is the same until its job is queued.
  `create table workflow_runs (
    sub_account_id uuid not null,
    id uuid not null,
    workflow_id uuid not null,
    version_id uuid not null,
    contact_id uuid,
    status text not null
      check (status in ('running', 'waiting', 'completed', 'cancelled', 'failed')),
    beside_others boolean not null,
    trigger text not null,
    data json not null,
    since_position bigint,
    depth integer not null,
    place text not null,
    due_at timestamptz(3),
    wake_at timestamptz(3),
    waiting_for text,
    attempts integer not null default 0,
    error text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    finished_at timestamptz(3),
    primary key (sub_account_id, id),
    foreign key (sub_account_id, workflow_id) references workflows (sub_account_id, id),
    foreign key (sub_account_id, version_id) references workflow_versions (sub_account_id, id),
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id),
    check ((finished_at is null) = (status in ('running', 'waiting')))
  )`,
  `create unique index workflow_runs_one_at_a_time
   on workflow_runs (sub_account_id, workflow_id, contact_id)
   where finished_at is null and not beside_others`,
  `create index workflow_runs_due on workflow_runs (wake_at) where wake_at is not null`,
  `create index workflow_runs_of_contact on workflow_runs (sub_account_id, contact_id)
   where finished_at is null`,
  `create index workflow_runs_of_workflow on workflow_runs (sub_account_id, workflow_id, id)`,

  // A row per taken step, so that none is taken twice.
  `create table workflow_log (
    sub_account_id uuid not null,
    id uuid not null,
    run_id uuid not null,
    place text not null,
    step text not null,
    outcome text not null,
    detail text,
    at timestamptz(3) not null,
    primary key (sub_account_id, id),
    constraint workflow_log_once unique (sub_account_id, run_id, place),
    foreign key (sub_account_id, run_id) references workflow_runs (sub_account_id, id)
      on delete cascade
  )`,

  // Events that arrived before a run reached their goal.
  `create table workflow_signals (
    sub_account_id uuid not null,
    id uuid not null,
    run_id uuid not null,
    event text not null,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, run_id) references workflow_runs (sub_account_id, id)
      on delete cascade
  )`,
  `create index workflow_signals_of_run on workflow_signals (sub_account_id, run_id, event)`,

  // The position up to which a sub-account's workflows have read, and the events they want.
  `create table workflow_readers (
    sub_account_id uuid primary key references sub_accounts (id),
    position bigint not null,
    names text[] not null
  )`,

  // Events that runs caused, with the depth of the run, to detect loops.
  `create table workflow_effects (
    sub_account_id uuid not null,
    id uuid not null,
    key text not null,
    depth integer not null,
    primary key (sub_account_id, id)
  )`,
  `create index workflow_effects_by_key on workflow_effects (sub_account_id, key)`,

  // Calls with a time: a second equal one is a replay.
  `create table workflow_calls (
    sub_account_id uuid not null,
    id uuid not null,
    expires_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,
  `create index workflow_calls_by_age on workflow_calls (sub_account_id, expires_at)`,

  // Queues a job for every run that is due; a waiting run costs nothing until then.
  `create function wake_workflow_runs(at timestamptz, at_most integer) returns integer
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
     ), specified as (
       select array_agg(row(
         'workflows/advance',
         json_build_object('subAccountId', sub_account_id, 'runId', id),
         null, now(), 25, 'workflows/advance:' || id, 0, null
       )::graphile_worker.job_spec) as specs
       from woken having count(*) > 0
     ), queued as (
       select job.id
       from specified cross join lateral graphile_worker.add_jobs(specified.specs) as job
     )
     select count(*), (select count(*) from queued) from woken into found;
     return found;
   end $$`,

  // As before, and queues a job for every sub-account whose workflows want one of the events.
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
     ), delivering as (
       select array_agg(row(
         'webhooks/deliver',
         json_build_object('subAccountId', s.sub_account_id, 'subscriptionId', s.id),
         null, now(), 25, 'webhooks/deliver:' || s.id, 0, null
       )::graphile_worker.job_spec) as specs
       from named join webhook_subscriptions s using (sub_account_id)
       where s.status = 'active' and s.deleted_at is null and s.events && named.names
         and (s.paused_until is null or s.paused_until <= now())
       having count(*) > 0
     ), reading as (
       select array_agg(row(
         'workflows/read-events',
         json_build_object('subAccountId', r.sub_account_id),
         null, now(), 25, 'workflows/read-events:' || r.sub_account_id, 0, null
       )::graphile_worker.job_spec) as specs
       from named join workflow_readers r using (sub_account_id)
       where r.names && named.names
       having count(*) > 0
     ), queued as (
       select job.id
       from (select specs from delivering union all select specs from reading) as wanted
       cross join lateral graphile_worker.add_jobs(wanted.specs) as job
     )
     select count(*), (select count(*) from queued) from placed into published;
     return published;
   end $$`,
]);
