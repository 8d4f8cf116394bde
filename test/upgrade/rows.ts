import type { Client } from 'pg';
import { tablesToFill } from '../support/populate/columns.ts';

/** Columns that a later migration fills in. */
const FILLED_IN: ReadonlySet<string> = new Set();

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Every row of the tables of sub-accounts. */
export async function rowsIn(client: Client): Promise<Rows> {
  const rows: Record<string, readonly Record<string, unknown>[]> = {};
  for (const { name } of await tablesToFill(client)) {
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
