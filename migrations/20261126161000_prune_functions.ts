import { defineMigration } from '#platform/database/migrate/migration.ts';

export const pruneFunctions = defineMigration('20261126161000_prune_functions', [
  // Ids contain the time, so the primary key finds the old rows of each sub-account. A cluster has no
  // statement for this: it would limit the rows of each sub-account in a join.
  `create function prune_older(of_table regclass, before uuid, at_most integer) returns integer
   language plpgsql as $$
   declare
     account uuid;
     deleted integer;
     total integer := 0;
   begin
     for account in select id from sub_accounts loop
       execute format('delete from %1$s where sub_account_id = $1 and id in (
           select id from %1$s where sub_account_id = $1 and id < $2 order by id limit $3
         )', of_table) using account, before, at_most - total;
       get diagnostics deleted = row_count;
       total := total + deleted;
       exit when total >= at_most;
     end loop;
     return total;
   end $$`,

  // Replaced versions without runs. A run that is starting locks its version, which then stays.
  `create function prune_versions(before timestamptz, at_most integer) returns integer
   language plpgsql as $$
   declare
     old record;
     deleted integer;
     total integer := 0;
   begin
     for old in
       select v.sub_account_id as account, v.id, v.workflow_id from workflow_versions v
       where exists (
         select from workflow_versions later
         where later.sub_account_id = v.sub_account_id and later.workflow_id = v.workflow_id
           and later.id > v.id and later.created_at < before
       ) and not exists (
         select from workflow_runs r
         where r.sub_account_id = v.sub_account_id and r.workflow_id = v.workflow_id
           and r.version_id = v.id
       ) limit at_most
     loop
       perform from workflow_versions
         where sub_account_id = old.account and id = old.id for update skip locked;
       if found then
         delete from workflow_versions v
           where v.sub_account_id = old.account and v.id = old.id and not exists (
             select from workflow_runs r
             where r.sub_account_id = old.account and r.workflow_id = old.workflow_id
               and r.version_id = old.id
           );
         get diagnostics deleted = row_count;
         total := total + deleted;
       end if;
     end loop;
     return total;
   end $$`,
]);
