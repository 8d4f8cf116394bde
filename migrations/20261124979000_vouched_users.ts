import { defineMigration } from '#platform/database/migrate/migration.ts';

export const vouchedUsers = defineMigration('20261124979000_vouched_users', [
  // The sub-account whose admin got a sign-in link of the user, and may have a session in their name.
  `alter table users add vouched_by uuid`,
]);
