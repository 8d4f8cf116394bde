import type { Work } from '#core/work.ts';
import { bound, type Bindings } from './bound.ts';
import { eraseEvents } from './erase-events.ts';
import { hashOptOuts } from './hash-opt-outs.ts';
import type { PersonalTable } from './personal-data.ts';

/** What was erased in a table, in rows. */
export interface ErasedRows {
  readonly table: string;
  readonly deleted: number;
  /** Rows that stay without the person's data. */
  readonly blanked: number;
  /** Rows about others in which the person's addresses were replaced. */
  readonly replaced: number;
}

export const NOTHING = { deleted: 0, blanked: 0, replaced: 0 };

/** Erases the rows about a person that a condition selects. */
export async function eraseRows(
  work: Work,
  { table, erase }: PersonalTable,
  rows: string,
  bindings: Bindings,
): Promise<Omit<ErasedRows, 'table'>> {
  if (erase === 'delete') {
    return {
      ...NOTHING,
      deleted: await countRows(work, `delete from ${table} t where ${rows}`, bindings),
    };
  }
  if (erase === 'own') {
    return table === 'opt_outs'
      ? { ...NOTHING, deleted: await hashOptOuts(work, bindings) }
      : { ...NOTHING, blanked: await eraseEvents(work, rows, bindings) };
  }
  const columns = Object.entries(erase);
  const values = columns.map(([column, value]) => `${column} = ${value}`).join(', ');
  const differs = columns.map(([column, value]) =>
    JSON_COLUMNS.has(column)
      ? `t.${column}::text is distinct from (${value})::text`
      : `t.${column} is distinct from (${value})`,
  );
  const statement = `update ${table} t set ${values} where ${rows} and (${differs.join(' or ')})`;
  return { ...NOTHING, blanked: await countRows(work, statement, bindings) };
}

/** Values of the type json can be compared as text only. Those of arrays can not on a cluster. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set(['fields', 'custom_fields', 'data']);

/** Returns how many rows a statement changes. */
export async function countRows(
  work: Work,
  statement: string,
  bindings: Bindings,
): Promise<number> {
  const { text, values } = bound(statement, bindings);
  const [found] = await work.rows<{ changed: number }>(
    `with changed as (${text} returning 1) select count(*)::int as changed from changed`,
    values,
  );
  return found?.changed ?? 0;
}
