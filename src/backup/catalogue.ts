import { MIGRATIONS_TABLE } from '#platform/database/migrate/schema-state.ts';
import { FILE_DELETIONS_TABLE } from '#platform/files/storage/storage.ts';
import { PAUSE_TABLE } from '#platform/queue/pause.ts';
import { TICKS_TABLE } from '#platform/queue/schedule.ts';
import type { SequenceState, TableHead } from './format.ts';
import type { Ask } from './session.ts';

const CHANGES_TABLE = 'changes';

/** Tables about this installation itself: not in backups. */
const EXCLUDED_TABLES = [
  MIGRATIONS_TABLE,
  PAUSE_TABLE,
  TICKS_TABLE,
  FILE_DELETIONS_TABLE,
  // Unlogged, except on a cluster, which moves logged tables only.
  CHANGES_TABLE,
  'presences',
];

/** The name of the jobs in a backup. They are queued again: the tables of the queue are private. */
export const JOBS = 'jobs of the queue';

/** Returns the table of the changes to the data, which a restore empties; schemas of 0.1.0 have none. */
export const changesTableOf = (ask: Ask): Promise<readonly { readonly table: string }[]> =>
  ask(
    `select relname as table from pg_class
     where relnamespace = 'public'::regnamespace and relname = $1`,
    [CHANGES_TABLE],
  );

/** Returns the tables in the order of their foreign keys, each with the columns to copy. */
export async function tablesOf(ask: Ask): Promise<readonly TableHead[]> {
  const tables = await ask<TableHead>(TABLES, [EXCLUDED_TABLES]);
  return inOrder(tables, await referencesOf(ask, { deferrable: false }));
}

/** Returns tables in an order in which each can be emptied in a transaction of its own. */
export async function inPurgeOrder(
  ask: Ask,
  tables: readonly TableHead[],
): Promise<readonly TableHead[]> {
  return inOrder(tables, await referencesOf(ask, { deferrable: true })).toReversed();
}

/** Returns the foreign keys; deferrable ones are optional, as they are checked when a transaction ends. */
const referencesOf = (ask: Ask, { deferrable }: { readonly deferrable: boolean }) =>
  ask<{ from: string; to: string }>(REFERENCES, [deferrable]);

/** Returns the tables whose rows belong to sub-accounts. */
export const ownedOf = (tables: readonly TableHead[]): readonly TableHead[] =>
  tables.filter(({ table, columns }) => columns.includes(ownerOf(table)));

/** Tables of sub-accounts that stay in their installation: a file grants no person access. */
const STAYING_TABLES = new Set(['memberships', 'oauth_grants', 'oauth_refresh_tokens']);

/** Returns the tables whose rows move with a sub-account to another installation. */
export const movingOf = (tables: readonly TableHead[]): readonly TableHead[] =>
  ownedOf(tables).filter(({ table }) => !STAYING_TABLES.has(table));

/** The column with the sub-account of a row. */
export const ownerOf = (table: string): string => (table === OWNERS ? 'id' : 'sub_account_id');

export const OWNERS = 'sub_accounts';

/** Returns the sequences, except those of excluded tables. */
export const sequencesOf = async (ask: Ask): Promise<readonly SequenceState[]> => {
  const names = await ask<{ name: string }>(SEQUENCES, [EXCLUDED_TABLES]);
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

/** Without unlogged tables, which a crash may empty, and without generated columns. */
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

const REFERENCES = `
  select distinct f.relname as from, t.relname as to
  from pg_constraint r
  join pg_class f on f.oid = r.conrelid
  join pg_class t on t.oid = r.confrelid
  where r.contype = 'f' and ($1 or not r.condeferrable) and f.oid <> t.oid
    and f.relnamespace = 'public'::regnamespace`;

const SEQUENCES = `
  select s.relname as name
  from pg_class s
  where s.relnamespace = 'public'::regnamespace and s.relkind = 'S' and not exists (
    select from pg_depend d join pg_class t on t.oid = d.refobjid
    where d.objid = s.oid and d.deptype in ('a', 'i') and t.relname = any ($1)
  )
  order by s.relname`;

/** Sorts tables so that each comes after those that it refers to. Throws an Error for a cycle. */
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
      throw new Error(`the foreign keys of these tables form a cycle: ${[...names].join(', ')}`);
    }
    sorted.push(...ready);
    left = left.filter(({ table }) => waits.has(table));
  }
  return sorted;
}
