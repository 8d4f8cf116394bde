import { ownerOf, OWNERS, quoted, type Ask } from './catalogue.ts';
import type { TableHead } from './format.ts';

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

const FORGET_ITS_JOBS = `
  delete from graphile_worker._private_jobs where payload ->> 'subAccountId' = $1::uuid::text`;
