import { defineMigration } from '#platform/database/migrate/migration.ts';

export const integrators = defineMigration('20261126171000_integrators', [
  'alter table memberships drop constraint memberships_role_check',
  `alter table memberships add constraint memberships_role_check
     check (role in ('admin', 'agent', 'viewer', 'integrator'))`,
]);
