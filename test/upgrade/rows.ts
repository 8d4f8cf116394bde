import type { Client } from 'pg';
import { tablesToFill } from '../support/populate/columns.ts';

/** Columns that a later migration fills in or changes, such as a default color that is dropped. */
const FILLED_IN: ReadonlySet<string> = new Set(['chat_settings.settings']);

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

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
    const now = after[table] ?? [];
    const isSame = (old: Row, row: Row) =>
      Object.entries(old).every(
        ([column, value]) =>
          FILLED_IN.has(`${table}.${column}`) ||
          JSON.stringify(row[column]) === JSON.stringify(value),
      );
    return rows
      .filter((old) => !now.some((row) => isSame(old, row)))
      .map((row) => `${table} ${JSON.stringify(row)}`);
  });
}

type Row = Readonly<Record<string, unknown>>;
