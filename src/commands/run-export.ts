import { writeCsvFile, writeCsvOut } from '#platform/files/write-csv.ts';
import { exportContacts } from '../contacts/import/export-contacts.ts';
import type { AdminContext } from './context.ts';

/** Writes the contacts to a file, or to standard output where none is named; answers how many. */
export async function runExport(
  { openView, clock }: AdminContext,
  subAccountId: string,
  path: string | undefined,
): Promise<number> {
  let lines = 0;
  async function* counted() {
    for await (const cells of exportContacts(openView(subAccountId, clock()))) {
      lines += 1;
      yield cells;
    }
  }
  await (path === undefined ? writeCsvOut(counted()) : writeCsvFile(counted(), path));
  return lines - 1;
}
