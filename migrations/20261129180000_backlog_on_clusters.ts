import { defineMigration } from '#platform/database/migrate/migration.ts';

export const backlogOnClusters = defineMigration('20261129180000_backlog_on_clusters', [
  // The same as before, without now() in COALESCE, which Citus refuses.
  `create or replace function queue_runs(of_sub_account uuid, runs uuid[]) returns integer
   language plpgsql as $$
   declare
     room integer := 0;
     queued uuid[];
   begin
     if not has_run_backlog(of_sub_account) then
       room := room_for_runs(of_sub_account);
     end if;
     queued := runs[1:room];
     if cardinality(runs) > room then
       update workflow_runs set backlogged_at = now()
       where sub_account_id = of_sub_account and id = any (runs[room + 1:])
         and backlogged_at is null;
     end if;
     return queue_jobs(
       array(select 'workflows/advance'::text from unnest(queued)),
       array(select 'workflows/advance:' || of_sub_account || ':' || run
         from unnest(queued) as run),
       array(select json_build_object('subAccountId', of_sub_account, 'runId', run)
         from unnest(queued) as run)
     );
   end $$`,
]);
