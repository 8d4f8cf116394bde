import { defineMigration } from '#platform/database/migrate/migration.ts';

export const messageAuthors = defineMigration('20261126125500_message_authors', [
  // Of outbound messages and notes: the user of the console, and the name that visitors see. It stays
  // when the conversation is assigned to another member, or the user is renamed.
  `alter table messages add author_id uuid, add author_name text`,
]);
