import { defineMigration } from '#platform/database/migrate/migration.ts';

export const linkTargets = defineMigration('20261125001000_link_targets', [
  // The sub-account that the console opens after the sign-in.
  `alter table sign_in_links add opens uuid`,
]);
