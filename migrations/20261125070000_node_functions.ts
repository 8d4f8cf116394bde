import { defineMigration } from '#platform/database/migrate/migration.ts';

/** The name of a table; on a node of a cluster the trigger sees a shard, `contacts_102008`. */
const TABLE = `regexp_replace(tg_table_name, '_[0-9]+$', '')`;

const tally = (condition: string): string => `
   declare owner record;
   begin
     for owner in select sub_account_id, count(*) as rows from added ${condition} group by 1 loop
       insert into tallies (sub_account_id, noun, difference)
       values (owner.sub_account_id, ${TABLE}, owner.rows);
       if random() < 0.01 then
         perform fold_tally(owner.sub_account_id, ${TABLE});
       end if;
     end loop;
     return null;
   end`;

export const nodeFunctions = defineMigration('20261125070000_node_functions', [
  // Tells all processes about a change. A cluster has a function of its own for it.
  `create function announce(topic text) returns void language sql as $$
     select pg_notify('frontdesk_changes', topic)
   $$`,
  `create or replace function announce_change() returns trigger language plpgsql as $$
   begin
     perform announce(${TABLE});
     return null;
   end $$`,
  `create or replace function announce_chat() returns trigger language plpgsql as $$
   begin
     perform announce('chat:' || (to_jsonb(new) ->> tg_argv[0]));
     return null;
   end $$`,
  `create or replace function note_presence() returns trigger language plpgsql as $$
   declare
     one presences := coalesce(new, old);
   begin
     insert into changes (sub_account_id, topic, record_id)
       values (one.sub_account_id, 'presence', one.conversation_id);
     if one.participant <> 'visitor' and exists (
       select from conversations v where v.sub_account_id = one.sub_account_id
         and v.id = one.conversation_id and v.channel = 'live_chat'
     ) then
       perform announce('chat:' || one.conversation_id);
     end if;
     return null;
   end $$`,
  `create or replace function tally_appointments() returns trigger language plpgsql as $$${tally('')} $$`,
  `create or replace function tally_inserts() returns trigger language plpgsql as $$${tally('where deleted_at is null')} $$`,
  `create or replace function tally_delete() returns trigger language plpgsql as $$
   begin
     insert into tallies (sub_account_id, noun, difference)
     values (new.sub_account_id, ${TABLE}, case when new.deleted_at is null then 1 else -1 end);
     return null;
   end $$`,

  // The channels that addresses of a contact are opted out of, as members of its dnd. Not immutable, but
  // Citus accepts no other function in RETURNING; the arguments are columns, so nothing is precomputed.
  `create function opted_out_channels(of_sub_account uuid, of_addresses text[]) returns jsonb
   language plpgsql immutable as $$
   begin
     return coalesce((
       select jsonb_object_agg(channel, true) from opt_outs
       where sub_account_id = of_sub_account and address = any (of_addresses)
     ), '{}');
   end $$`,

  // The rows are read into variables first: no statement of a node combines its tables with those of a
  // trigger.
  `create or replace function note_changes() returns trigger language plpgsql as $$
   declare
     accounts uuid[];
     ids uuid[];
   begin
     select array_agg(sub_account_id), array_agg(id) into accounts, ids
       from (select distinct sub_account_id, id from changed) as one;
     if cardinality(ids) = 1 then
       insert into changes (sub_account_id, topic, record_id)
         values (accounts[1], tg_argv[0], ids[1]);
     elsif ids is not null then
       insert into changes (sub_account_id, topic, record_id)
         select account, tg_argv[0], record from unnest(accounts, ids) as one (account, record);
     end if;
     return null;
   end $$`,
  `create or replace function note_message_changes() returns trigger language plpgsql as $$
   declare
     accounts uuid[];
     ids uuid[];
     conversations uuid[];
   begin
     select array_agg(sub_account_id), array_agg(id), array_agg(conversation_id)
       into accounts, ids, conversations
       from (select distinct sub_account_id, id, conversation_id from changed) as one;
     if cardinality(ids) = 1 then
       insert into changes (sub_account_id, topic, record_id, conversation_id)
         values (accounts[1], tg_argv[0], ids[1], conversations[1]);
     elsif ids is not null then
       insert into changes (sub_account_id, topic, record_id, conversation_id)
         select account, tg_argv[0], record, conversation
         from unnest(accounts, ids, conversations) as one (account, record, conversation);
     end if;
     return null;
   end $$`,
  `create or replace function note_delivery_changes() returns trigger language plpgsql as $$
   declare
     accounts uuid[];
     ids uuid[];
   begin
     select array_agg(sub_account_id), array_agg(id) into accounts, ids
       from (
         select distinct on (sub_account_id, subscription_id) sub_account_id, id
         from changed order by sub_account_id, subscription_id, id desc
       ) as one;
     if cardinality(ids) = 1 then
       insert into changes (sub_account_id, topic, record_id)
         values (accounts[1], tg_argv[0], ids[1]);
     elsif ids is not null then
       insert into changes (sub_account_id, topic, record_id)
         select account, tg_argv[0], record from unnest(accounts, ids) as one (account, record);
     end if;
     return null;
   end $$`,

  // In PL/pgSQL: a node cannot plan a function in SQL with parameters.
  `create or replace function fold_tally(of_sub_account uuid, of_noun text)
   returns void language plpgsql as $$
   declare
     folded uuid[];
     total bigint;
   begin
     folded := array(
       select id from tallies where sub_account_id = of_sub_account and noun = of_noun
       order by id for update skip locked limit 1000
     );
     with gone as (
       delete from tallies
       where sub_account_id = of_sub_account and noun = of_noun and id = any (folded)
       returning difference
     )
     select sum(difference) from gone into total;
     if total is not null then
       insert into tallies (sub_account_id, noun, difference)
         values (of_sub_account, of_noun, total);
     end if;
   end $$`,
]);
