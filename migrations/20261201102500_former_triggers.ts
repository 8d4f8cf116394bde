import { defineMigration } from '#platform/database/migrate/migration.ts';

export const formerTriggers = defineMigration('20261201102500_former_triggers', [
  // After a change of an active workflow's triggers, events that were committed before still count as before.
  `alter table workflows add column former_triggers jsonb not null default '[]'`,
]);
