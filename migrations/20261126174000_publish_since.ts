import { defineMigration } from '#platform/database/migrate/migration.ts';

export const publishSince = defineMigration('20261126174000_publish_since', [
  // While any transaction is open that began before events were published, as during a backup,
  // PostgreSQL keeps their deleted rows and index entries. Each batch would pass all of them again, so
  // it may leave out the events until an id. From version 18 on, PostgreSQL finds the next sub-account
  // with later events without the entries before that id.
  `drop function publish_events(integer)`,
  `drop function next_unpublished(integer)`,

  // As before; the settings, too.
  `create function next_unpublished(at_most integer, since uuid) returns tid[] language plpgsql stable
   set enable_seqscan = off set enable_bitmapscan = off as $$
   declare
     accounts uuid[];
     share integer;
     is_more boolean;
     picked tid[];
   begin
     with recursive waiting as (
       (select sub_account_id, id from outbox where id > since order by sub_account_id, id limit 1)
       union all
       select next.sub_account_id, next.id from waiting cross join lateral (
         select o.sub_account_id, o.id from outbox o
         where o.sub_account_id > waiting.sub_account_id and o.id > since
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
         from outbox o where o.sub_account_id = account and o.id > since order by o.id limit share
       ) as event into picked, is_more;
       exit when not is_more or cardinality(picked) >= at_most;
       share := share * 2;
     end loop;
     return picked[1:at_most];
   end $$`,

  // Gives positions to committed events after an id. The lock lasts until the positions are committed:
  // the next publisher assigns greater ones, so that no reader sees a smaller position appear after a
  // greater.
  `create function publish_events(
     at_most integer, since uuid default '00000000-0000-0000-0000-000000000000'
   ) returns integer language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(5771003);
     return publish_rows(next_unpublished(at_most, since));
   end $$`,

  // Whether a batch has events of every sub-account that waits: a batch that is not full was the last.
  // On a cluster, a batch has events of one sub-account.
  `create function batches_are_shared() returns boolean language sql immutable as 'select true'`,
]);
