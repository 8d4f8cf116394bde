/**
 * Functions that a cluster needs instead of those of the migrations, with the same names and arguments:
 * the notices of a node do not reach the coordinator, and a node locks rows of its own only.
 */
export const CLUSTER_FUNCTIONS: readonly string[] = [
  // NOTIFY cannot be prepared for a commit on several nodes. The message reaches the process that made
  // the change, which notifies through the coordinator (notice-relay.ts).
  `create or replace function announce(topic text) returns void language plpgsql as $$
   begin
     raise notice using message = 'frontdesk_changes ' || topic;
   end $$`,

  // One sub-account per transaction, in turn: its rows are on one node, so a commit is final on that node at
  // once. Events that were prepared only would become visible after later ones. The session knows the last
  // one, so that a burst of one sub-account does not delay the others.
  `create or replace function publish_events(
     at_most integer, since uuid default '00000000-0000-0000-0000-000000000000'
   ) returns integer language plpgsql as $$
   declare
     account uuid;
     previous uuid := coalesce(nullif(current_setting('frontdesk.published', true), '')::uuid,
       '00000000-0000-0000-0000-000000000000');
   begin
     begin
       select sub_account_id from outbox where sub_account_id > previous and id > since
         order by sub_account_id limit 1 into account;
       if account is null then
         select sub_account_id from outbox where id > since
           order by sub_account_id limit 1 into account;
       end if;
     exception when connection_failure then
       -- A node is unavailable: the other ones are asked one by one.
       select split_part(result, ' ', 2)::uuid from run_command_on_placements('outbox', format(
         'select id || '' '' || sub_account_id from %%s where id > %L
          order by sub_account_id, id limit 1', since))
       where success and result <> '' order by result limit 1 into account;
     end;
     if account is null then
       return 0;
     end if;
     perform set_config('frontdesk.published', account::text, false);
     return publish_of_node(account, at_most, since);
   end $$`,

  `create or replace function batches_are_shared() returns boolean language sql immutable as 'select false'`,

  `create or replace function publish_events_of(of_sub_account uuid, at_most integer)
   returns integer language plpgsql as $$
   begin
     return publish_of_node(
       of_sub_account, at_most, '00000000-0000-0000-0000-000000000000');
   end $$`,

  // Positions come from the coordinator, so that they keep rising when a sub-account moves to another
  // node. They are in order within a sub-account: its lock lasts until they are committed, so a node that
  // does not answer delays no others. The lock of all sub-accounts lasts while positions are reserved.
  `create or replace function publish_of_node(of_sub_account uuid, at_most integer, since uuid)
   returns integer language plpgsql as $$
   declare
     behind bigint;
     published integer;
     found_names text[];
     specs graphile_worker.job_spec[];
   begin
     perform pg_advisory_xact_lock(5771003, hashtext(of_sub_account::text));
     begin
       perform pg_advisory_lock(5771003);
       behind := nextval('event_positions');
       perform setval('event_positions', behind + at_most);
       perform pg_advisory_unlock(5771003);
     exception when query_canceled or others then
       -- The session outlives the statement, and with it this lock.
       perform pg_advisory_unlock(5771003);
       raise;
     end;
     insert into events (sub_account_id, id, position, name, contact_id, data, occurred_at)
       select of_sub_account, id,
         behind + row_number() over (order by written_at nulls first, id), name, contact_id, data,
         occurred_at
       from (
         select id, name, contact_id, data, occurred_at, written_at from outbox
         where sub_account_id = of_sub_account and id > since order by id limit at_most
       ) as waiting;
     get diagnostics published = row_count;
     if published = 0 then
       return 0;
     end if;
     delete from outbox o using events e
       where o.sub_account_id = of_sub_account and e.sub_account_id = of_sub_account
         and e.position > behind and o.id = e.id;
     insert into engagement_marks (sub_account_id, contact_id)
       select distinct of_sub_account, contact_id from events
       where sub_account_id = of_sub_account and position > behind
         and contact_id is not null and name in ('message.received', 'form.submitted',
           'appointment.completed', 'appointment.no_show', 'appointment.cancelled',
           'opportunity.created', 'opportunity.updated', 'opportunity.deleted');
     select array_agg(distinct name) from events
       where sub_account_id = of_sub_account and position > behind into found_names;
     with wanted as (
       select 'webhooks/deliver' as task, s.id::text as subject,
         json_build_object('subAccountId', s.sub_account_id, 'subscriptionId', s.id) as payload
       from webhook_subscriptions s
       where s.sub_account_id = of_sub_account and s.status = 'active' and s.deleted_at is null
         and (s.events && found_names or '*' = any (s.events))
         and (s.paused_until is null or s.paused_until <= now())
       union all
       select 'workflows/read-events', r.sub_account_id::text,
         json_build_object('subAccountId', r.sub_account_id)
       from workflow_readers r
       where r.sub_account_id = of_sub_account and r.names && found_names
     )
     select array_agg(row(
       task, payload, null, now(), 25, task || ':' || subject, 0, null
     )::graphile_worker.job_spec order by task, subject)
     from (select task, subject, payload from wanted) as jobs into specs;
     if specs is not null then
       perform add_jobs_without_waiting(specs);
     end if;
     return published;
   end $$`,

  // What `ON DELETE SET NULL (column)` does, which Citus refuses in a key with the column that tables are
  // distributed by. The arguments: the table, its assignments, its columns with those of the deleted row.
  `create or replace function clear_references() returns trigger language plpgsql as $$
   begin
     execute format('update %s set %s where %s', tg_argv[0], tg_argv[1], (
       select string_agg(format('%I = %L', pair.key, to_jsonb(old) ->> pair.value), ' and ')
       from json_each_text(tg_argv[2]::json) as pair
     ));
     return old;
   end $$`,

  // A statement locks rows of one sub-account only.
  `create or replace function wake_workflow_runs(at timestamptz, at_most integer)
   returns integer language plpgsql as $$
   declare
     account uuid;
     due uuid[];
     room integer;
     found integer := 0;
   begin
     if not pg_try_advisory_xact_lock(5771004) then
       return 0;
     end if;
     for account in
       select sub_account_id from workflow_runs where wake_at <= at
       group by 1 order by min(wake_at) limit at_most
     loop
       due := array(
         select id from workflow_runs where sub_account_id = account and wake_at <= at
         order by wake_at limit at_most for update skip locked
       );
       update workflow_runs set backlogged_at = coalesce(backlogged_at, wake_at), wake_at = null
       where sub_account_id = account and id = any (due);
       found := found + cardinality(due);
     end loop;
     for account in
       select sub_account_id from workflow_runs where backlogged_at is not null
       group by 1 order by min(backlogged_at)
     loop
       room := room_for_runs(account);
       due := array(
         select id from workflow_runs where sub_account_id = account and backlogged_at is not null
         order by backlogged_at, id limit room for update skip locked
       );
       update workflow_runs set backlogged_at = null where sub_account_id = account and id = any (due);
       perform queue_jobs(
         array(select 'workflows/advance'::text from unnest(due)),
         array(select 'workflows/advance:' || account || ':' || run from unnest(due) as run),
         array(select json_build_object('subAccountId', account, 'runId', run)
           from unnest(due) as run)
       );
     end loop;
     return found;
   end $$`,

  // A node combines neither a table of its own with the rows of a trigger, nor a function in SQL with
  // parameters.
  `create or replace function restore_opt_outs_of_new() returns trigger language plpgsql as $$
   declare
     one record;
   begin
     for one in
       select sub_account_id, array_agg(address) as addresses
       from added cross join lateral unnest(addresses) as address group by 1
     loop
       if exists (select from erased_opt_outs e where e.sub_account_id = one.sub_account_id) then
         perform restore_opt_outs(one.sub_account_id, one.addresses);
       end if;
     end loop;
     return null;
   end $$`,
  `create or replace function restore_opt_outs(of_sub_account uuid, of_addresses text[])
   returns void language plpgsql as $$
   declare
     secret bytea := (select erasure_key from sub_accounts where id = of_sub_account);
     given text;
     hash bytea;
     back record;
   begin
     foreach given in array coalesce(of_addresses, '{}') loop
       hash := hash_address(secret, given);
       for back in
         delete from erased_opt_outs e
         where e.sub_account_id = of_sub_account and e.address_hash = hash
         returning e.id, e.channel, e.reason, e.created_at
       loop
         insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
           values (of_sub_account, back.id, back.channel, given, back.reason, back.created_at)
           on conflict do nothing;
       end loop;
     end loop;
   end $$`,

  // Which shards the rebalancer may move where: one of a single sub-account stays, unless its node is
  // being drained, and a node that has only such shards gets no others.
  `create or replace function keep_placed_sub_accounts(shard bigint, node integer)
   returns boolean language sql stable as $$
     with placed as (
       select p.groupid, s.shardid, s.shardminvalue = s.shardmaxvalue as is_alone
       from pg_dist_shard s
       join pg_dist_placement p on p.shardid = s.shardid
       join pg_dist_partition d on d.logicalrelid = s.logicalrelid and d.partmethod = 'h'
     ), target as (select groupid from pg_dist_node where nodeid = node)
     select case when mine.is_alone
       then mine.groupid = target.groupid or not exists (
         select from pg_dist_node n where n.groupid = mine.groupid and n.shouldhaveshards)
       else not exists (select from placed where placed.groupid = target.groupid and is_alone)
         or exists (select from placed where placed.groupid = target.groupid and not is_alone)
       end
     from placed as mine, target where mine.shardid = shard
   $$`,
];
