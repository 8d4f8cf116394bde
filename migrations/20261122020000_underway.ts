import { defineMigration } from '#platform/database/migrate/migration.ts';

export const underway = defineMigration('20261122020000_underway', [
  // What a provider took and has told nothing of since: few at any time, and looked for every few minutes.
  `create index messages_underway on messages (sub_account_id, id)
   where status = 'pending' and external_id is not null and direction = 'outbound'`,
]);
