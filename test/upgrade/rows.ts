import type { Client } from 'pg';
import { tablesToFill } from '../support/populate/columns.ts';

/** Columns that a later migration fills in or changes, such as a default color that is dropped. */
const FILLED_IN: ReadonlySet<string> = new Set(['chat_settings.settings']);

export type Rows = Readonly<Record<string, readonly Row[]>>;

/** Contents that wait for their removal are those of the installation's own storage. */
const STAYING = 'file_deletions';

/** Every row of the tables of sub-accounts that a backup keeps. */
export async function rowsIn(client: Client): Promise<Rows> {
  const rows: Record<string, readonly Record<string, unknown>[]> = {};
  const tables = await tablesToFill(client);
  for (const { name } of tables.filter((table) => table.name !== STAYING)) {
    const found = await client.query(`select to_jsonb(t) as row from "${name}" t`);
    rows[name] = found.rows.map(({ row }) => row);
  }
  return rows;
}

/** Returns rows that were lost or changed; later columns are ignored. */
export function lostOf(before: Rows, after: Rows): string[] {
  return Object.entries(before).flatMap(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).filter((name) => !FILLED_IN.has(`${table}.${name}`));
    const textOf = (row: Row) => JSON.stringify(columns.map((name) => row[name]));
    const now = new Set(after[table]?.map(textOf));
    return rows
      .filter((row) => !now.has(textOf(row)))
      .map((row) => `${table} ${JSON.stringify(row)}`);
  });
}

type Row = Readonly<Record<string, unknown>>;
