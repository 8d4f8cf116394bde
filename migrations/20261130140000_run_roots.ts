import { defineMigration } from '#platform/database/migrate/migration.ts';

export const runRoots = defineMigration('20261130140000_run_roots', [
  // The first run of the chain that caused a run or an event. Null for runs that no other run caused, or
  // that were refused, and in rows of older releases.
  'alter table workflow_runs add column root uuid',
  `create index workflow_runs_of_root on workflow_runs (sub_account_id, root)
   where root is not null`,
  'alter table workflow_effects add column root uuid',
]);
