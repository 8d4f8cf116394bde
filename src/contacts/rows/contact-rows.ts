import { snakeCase } from '#core/schema/columns.ts';
import { RECORD_MEMBERS } from './new-contact.ts';

const columns = RECORD_MEMBERS.map((member) => [member, snakeCase(member)] as const);

type Records = readonly Readonly<Partial<Record<(typeof RECORD_MEMBERS)[number], unknown>>>[];

/** Columns of `contacts` that a record fills, for statements that write many of them. */
export const RECORD_COLUMNS: readonly string[] = columns.map(([, column]) => column);

/** Records as `json_populate_recordset(null::contacts, …)` reads them. */
export const rowsText = (records: Records): string => JSON.stringify(records.map(rowOf));

/** Without what is null: most files fill few columns, and all of this is parsed once more. */
function rowOf(record: Records[number]): object {
  const row: Record<string, unknown> = {};
  for (const [member, column] of columns) {
    const value = record[member];
    if (value !== null) {
      row[column] = value;
    }
  }
  return row;
}
