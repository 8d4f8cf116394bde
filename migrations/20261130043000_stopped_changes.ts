import { defineMigration } from '#platform/database/migrate/migration.ts';

export const stoppedChanges = defineMigration('20261130043000_stopped_changes', [
  'alter table contact_bulk_changes drop constraint contact_bulk_changes_status_check',
  `alter table contact_bulk_changes add constraint contact_bulk_changes_status_check
   check (status in ('running', 'done', 'failed', 'stopped'))`,
]);
