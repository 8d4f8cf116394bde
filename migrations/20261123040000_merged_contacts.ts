import { defineMigration } from '#platform/database/migrate/migration.ts';

export const mergedContacts = defineMigration('20261123040000_merged_contacts', [
  // The contact that a merged one became part of, always the live end of a chain of merges. Merges
  // from before this step are not known.
  `alter table contacts add column merged_into uuid`,
  `alter table contacts add constraint contacts_merged_into_fkey
   foreign key (sub_account_id, merged_into) references contacts (sub_account_id, id)
   deferrable initially deferred`,
  `create index contacts_by_merged_into on contacts (sub_account_id, merged_into)
   where merged_into is not null`,
]);
