import { defineMigration } from '#platform/database/migrate/migration.ts';

export const pageLanguages = defineMigration('20261126172000_page_languages', [
  // Texts of customer pages that the manifest adds, by language tag and kind of page.
  `alter table sub_accounts add column languages jsonb not null default '{}'`,
]);
