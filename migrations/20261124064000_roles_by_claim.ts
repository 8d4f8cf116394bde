import { defineMigration } from '#platform/database/migrate/migration.ts';

export const rolesByClaim = defineMigration('20261124064000_roles_by_claim', [
  // A role that a claim gave is removed with the claim; a role given by an admin stays.
  `alter table users add column owner_by_claim boolean not null default false`,
  `alter table memberships add column by_claim boolean not null default false`,
]);
