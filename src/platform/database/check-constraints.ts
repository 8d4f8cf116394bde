import type { Rows } from './cluster/nodes.ts';

/**
 * Checks the deferrable foreign keys of the transaction now: on every node of a cluster, or on that of the
 * one sub-account that it changed. Throws the error of a broken one.
 */
export async function checkConstraints(rows: Rows, subAccountId?: string): Promise<void> {
  await rows('set constraints all immediate');
  for (const { table } of await rows<{ table: string }>(DEFERRABLE)) {
    await (subAccountId === undefined
      ? rows(`select check_constraints() from ${table} limit 1`)
      : rows(`select check_constraints() from ${table} where sub_account_id = $1 limit 1`, [
          subAccountId,
        ]));
  }
}

/** A backup of an earlier release has no such function, and its tables are not distributed yet. */
const DEFERRABLE = `select distinct conrelid::regclass::text as table from pg_constraint
  where condeferrable and connamespace = 'public'::regnamespace
    and to_regprocedure('check_constraints()') is not null
  order by 1`;
