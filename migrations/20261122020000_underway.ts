import { defineMigration } from '#platform/database/migrate/migration.ts';

export const underway = defineMigration('20261122020000_underway', [
  // Messages without a report from their provider: few at any time, checked every few minutes.
  `create index messages_underway on messages (sub_account_id, id)
   where status = 'pending' and external_id is not null and direction = 'outbound'`,
]);
