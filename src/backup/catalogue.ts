import { MIGRATIONS_TABLE } from '#platform/database/migrate/schema-state.ts';
import { PAUSE_TABLE } from '#platform/queue/pause.ts';
import { TICKS_TABLE } from '#platform/queue/schedule.ts';
import type { SequenceState, TableHead } from './format.ts';

export type Ask = <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>;

/** Of the installation that stands here, not of what it holds. */
const OWN_BUSINESS = [MIGRATIONS_TABLE, PAUSE_TABLE, TICKS_TABLE];

/** The jobs of the queue, whose own tables are its business: they are queued anew. */
export const JOBS = 'jobs of the queue';

/** Each table with the columns that are written, those before which it refers to first. */
export async function tablesOf(ask: Ask): Promise<readonly TableHead[]> {
  const tables = await ask<TableHead>(TABLES, [OWN_BUSINESS]);
  const references = await ask<{ from: string; to: string }>(REFERENCES);
  return inOrder(tables, references);
}

/** Of these, the tables that hold what belongs to sub-accounts. */
export const ownedOf = (tables: readonly TableHead[]): readonly TableHead[] =>
  tables.filter(({ table, columns }) => columns.includes(ownerOf(table)));

/** The column that says whose a row is. */
export const ownerOf = (table: string): string => (table === OWNERS ? 'id' : 'sub_account_id');

/** The table of those whom the others belong to. */
export const OWNERS = 'sub_accounts';

/** Not those of tables that are left out. */
export const sequencesOf = async (ask: Ask): Promise<readonly SequenceState[]> => {
  const names = await ask<{ name: string }>(SEQUENCES, [OWN_BUSINESS]);
  const states: SequenceState[] = [];
  for (const { name } of names) {
    const [state] = await ask<Omit<SequenceState, 'name'>>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(name)}`,
    );
    states.push({ name, ...(state as Omit<SequenceState, 'name'>) });
  }
  return states;
};

export const listOf = (columns: readonly string[]): string => columns.map(quoted).join(', ');

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Unlogged tables hold what a crash may take, and generated columns what follows from others. */
const TABLES = `
  select c.relname as table, array(
    select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum
  ) as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and c.relname <> all ($1)
  order by c.relname`;

/** Those that are checked at the end of the transaction ask for no order. */
const REFERENCES = `
  select distinct f.relname as from, t.relname as to
  from pg_constraint r
  join pg_class f on f.oid = r.conrelid
  join pg_class t on t.oid = r.confrelid
  where r.contype = 'f' and not r.condeferrable and f.oid <> t.oid
    and f.relnamespace = 'public'::regnamespace`;

const SEQUENCES = `
  select s.relname as name
  from pg_class s
  where s.relnamespace = 'public'::regnamespace and s.relkind = 'S' and not exists (
    select from pg_depend d join pg_class t on t.oid = d.refobjid
    where d.objid = s.oid and d.deptype in ('a', 'i') and t.relname = any ($1)
  )
  order by s.relname`;

/** Sorts tables so that each comes after those that it refers to; throws where that cannot be. */
export function inOrder<T extends { readonly table: string }>(
  tables: readonly T[],
  references: readonly { readonly from: string; readonly to: string }[],
): T[] {
  const sorted: T[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map(({ table }) => table));
    const waits = new Set(references.filter(({ to }) => names.has(to)).map(({ from }) => from));
    const ready = left.filter(({ table }) => !waits.has(table));
    if (ready.length === 0) {
      throw new Error(`tables refer to each other in a circle: ${[...names].join(', ')}`);
    }
    sorted.push(...ready);
    left = left.filter(({ table }) => waits.has(table));
  }
  return sorted;
}
