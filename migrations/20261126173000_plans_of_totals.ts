import { defineMigration } from '#platform/database/migrate/migration.ts';

export const plansOfTotals = defineMigration('20261126173000_plans_of_totals', [
  // A sub-account has few rows here, also after many changes. A plan that expects many reads the whole
  // table, so PostgreSQL would plan each list anew, for its sub-account. Citus refuses the option for
  // a distributed table.
  `do $$
   begin
     alter table tallies alter column sub_account_id set (n_distinct = -1);
   exception when feature_not_supported then
     null;
   end $$`,
  `analyze tallies`,
]);
