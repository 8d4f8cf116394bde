import { ownerOf, OWNERS, quoted, type Ask } from '../catalogue.ts';
import type { TableHead } from '../format.ts';

/** Deletes what belongs to a sub-account, jobs included, all but its own row. */
export async function forgetRows(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  await ask(FORGET_ITS_JOBS, [subAccountId]);
  for (const { table } of tables.toReversed()) {
    if (table !== OWNERS) {
      await ask(`delete from ${quoted(table)} where ${ownerOf(table)} = $1`, [subAccountId]);
    }
  }
}

/** Locks in the order of ids, as every statement over several jobs does. */
const FORGET_ITS_JOBS = `
  with its as materialized (
    select id from graphile_worker._private_jobs
    where payload ->> 'subAccountId' = $1::uuid::text order by id for update
  )
  delete from graphile_worker._private_jobs j using its where j.id = its.id`;
