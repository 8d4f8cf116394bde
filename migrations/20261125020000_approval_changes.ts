import { defineMigration } from '#platform/database/migrate/migration.ts';

const noting = (event: 'insert' | 'update'): string =>
  `create trigger agent_approvals_note_${event} after ${event} on agent_approvals
   referencing new table as changed for each statement execute function note_changes('approval')`;

export const approvalChanges = defineMigration('20261125020000_approval_changes', [
  // The console shows approvals as agents ask for them.
  noting('insert'),
  noting('update'),
]);
