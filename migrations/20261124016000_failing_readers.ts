import { defineMigration } from '#platform/database/migrate/migration.ts';

export const failingReaders = defineMigration('20261124016000_failing_readers', [
  // Unexpected errors in a row at the reader's position: the attempts of its job are reset by new events.
  `alter table workflow_readers add failures integer not null default 0`,
]);
