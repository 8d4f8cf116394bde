import { defineMigration } from '#platform/database/migrate/migration.ts';

export const finishedRuns = defineMigration('20261122014000_finished_runs', [
  // Finished runs are deleted after a while, oldest first.
  `create index workflow_runs_finished on workflow_runs (finished_at)
   where finished_at is not null`,
]);
