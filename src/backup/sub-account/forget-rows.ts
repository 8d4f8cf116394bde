import { DELETE_JOBS_OF_SUB_ACCOUNT } from '#platform/queue/private-tables.ts';
import { ownerOf, OWNERS, quoted, type Ask } from '../catalogue.ts';
import type { TableHead } from '../format.ts';

/** Deletes what belongs to a sub-account, jobs included, all but its own row. */
export async function forgetRows(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  await ask(DELETE_JOBS_OF_SUB_ACCOUNT, [subAccountId]);
  for (const { table } of tables.toReversed()) {
    if (table !== OWNERS) {
      await ask(`delete from ${quoted(table)} where ${ownerOf(table)} = $1`, [subAccountId]);
    }
  }
}
