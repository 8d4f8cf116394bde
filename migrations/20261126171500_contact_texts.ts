import { defineMigration } from '#platform/database/migrate/migration.ts';

export const contactTexts = defineMigration('20261126171500_contact_texts', [
  // Searches for frequent texts read this index alone: the texts of 57 contacts fit into a page, of the
  // table 16. An entry of a B-tree must be below 2,704 bytes, so longer texts have an index without them.
  `create index contacts_by_text on contacts (sub_account_id, id) include (search_text)
   where deleted_at is null and octet_length(search_text) <= 2000`,
  `create index contacts_by_long_text on contacts (sub_account_id, id)
   where deleted_at is null and octet_length(search_text) > 2000`,
]);
