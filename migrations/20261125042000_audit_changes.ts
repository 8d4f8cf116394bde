import { defineMigration } from '#platform/database/migrate/migration.ts';

export const auditChanges = defineMigration('20261125042000_audit_changes', [
  // The fields of the record before and after, where the change was made through its entity.
  `alter table audit_entries add column changes jsonb`,
]);
