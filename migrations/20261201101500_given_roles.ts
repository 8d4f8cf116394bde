import { defineMigration } from '#platform/database/migrate/migration.ts';

export const givenRoles = defineMigration('20261201101500_given_roles', [
  // The role that a person gave returns once the claim that gives a more powerful one is gone.
  `alter table memberships add column given_role text`,
]);
