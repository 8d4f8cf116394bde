import { defineMigration } from '#platform/database/migrate/migration.ts';

/**
 * As before, but no statement combines tables of a node with the rows of a trigger, and none with
 * parameters is a function in SQL.
 */
export const moreNodeFunctions = defineMigration('20261126160000_more_node_functions', [
  `create or replace function in_turn(target appointments, wish slot_wish) returns uuid[]
   language plpgsql stable as $$
   begin
     return (
       select array_agg(one order by (one = target.assigned_to) desc nulls last, (
           select count(*) from appointments a
           where a.sub_account_id = target.sub_account_id and a.calendar_id = target.calendar_id
             and a.assigned_to = one and a.status in ('scheduled', 'confirmed')
             and a.start_time > wish.asked_at
         ), (
           select max(a.assigned_at) from appointments a
           where a.sub_account_id = target.sub_account_id and a.calendar_id = target.calendar_id
             and a.assigned_to = one
         ) nulls first, place)
       from unnest(wish.wanted) with ordinality as listed (one, place)
     );
   end $$`,
  `create or replace function queue_file_deletions() returns trigger language plpgsql as $$
   declare
     accounts uuid[];
     contents uuid[];
   begin
     select array_agg(sub_account_id), array_agg(content_id) into accounts, contents
       from (select distinct sub_account_id, content_id from gone where state <> 'refused') as one;
     if contents is not null then
       insert into file_deletions (sub_account_id, content_id, due_at)
         select account, content, now() from unnest(accounts, contents) as one (account, content)
         on conflict (sub_account_id, content_id) do update set due_at = excluded.due_at;
     end if;
     return null;
   end $$`,
  `create or replace function note_file_changes() returns trigger language plpgsql as $$
   declare
     one record;
     conversation uuid;
   begin
     for one in
       select distinct sub_account_id, message_id from changed where message_id is not null
     loop
       conversation := (
         select conversation_id from messages
         where sub_account_id = one.sub_account_id and id = one.message_id
       );
       insert into changes (sub_account_id, topic, record_id, conversation_id)
         values (one.sub_account_id, 'message', one.message_id, conversation);
     end loop;
     return null;
   end $$`,
]);
