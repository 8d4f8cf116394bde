import { defineMigration } from '#platform/database/migrate/migration.ts';

export const checkConstraints = defineMigration('20261126162000_check_constraints', [
  // Called for a row of a table, so that it runs where the row is: a cluster passes `set constraints`
  // on to no node.
  `create function check_constraints() returns boolean language plpgsql as $$
   begin
     set constraints all immediate;
     return true;
   end $$`,
]);
