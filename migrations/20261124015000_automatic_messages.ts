import { defineMigration } from '#platform/database/migrate/migration.ts';

export const automaticMessages = defineMigration('20261124015000_automatic_messages', [
  // Outbound messages of workflows and booking notices: no person and no caller of the API wrote them.
  `alter table messages add is_automatic boolean not null default false`,
]);
