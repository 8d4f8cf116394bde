import type { View } from '#core/work.ts';
import type { ImportCheckpoints } from '../../contacts/import/import-contacts.ts';
import type { Settled } from '../../contacts/import/import-rows.ts';

/**
 * Returns the checkpoints of an import. Those of earlier runs are read along with the file: a large file
 * has too many for the memory.
 */
export async function openCheckpoints(view: View, importId: string): Promise<ImportCheckpoints> {
  const key = [view.subAccountId, importId];
  const [last] = await view.rows<{ line: number | null }>(LAST, key);
  const lastLine = last?.line ?? 0;
  const unclaimed = new Map<number, Settled>();
  let reached = 0;
  return {
    async resultsOf(lines) {
      const until = lines.at(-1) ?? 0;
      if (reached < lastLine) {
        const found = await view.rows<Checkpoint>(READ, [...key, reached, until]);
        for (const settled of found.flatMap(({ results }) => results)) {
          unclaimed.set(settled.line, settled);
        }
        reached = until;
      }
      const results = lines.flatMap((line) => unclaimed.get(line) ?? []);
      results.forEach(({ line }) => unclaimed.delete(line));
      return results;
    },
    record(work, results) {
      const firstLine = Math.min(...results.map(({ line }) => line));
      work.write(RECORD, [...key, firstLine, JSON.stringify(results)]);
    },
  };
}

interface Checkpoint {
  readonly results: readonly Settled[];
}

const LAST = `select max(first_line) as line from contact_import_checkpoints
  where sub_account_id = $1 and import_id = $2`;
const READ = `select results from contact_import_checkpoints
  where sub_account_id = $1 and import_id = $2 and first_line > $3 and first_line <= $4`;
const RECORD = `insert into contact_import_checkpoints
    (sub_account_id, import_id, first_line, results)
  values ($1, $2, $3, $4::jsonb)`;
