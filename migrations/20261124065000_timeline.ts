import { defineMigration } from '#platform/database/migrate/migration.ts';

export const timeline = defineMigration('20261124065000_timeline', [
  // A contact's timeline lists finished runs, too; the other index of contacts has unfinished ones only.
  `create index workflow_runs_by_contact on workflow_runs (sub_account_id, contact_id, created_at)`,
]);
