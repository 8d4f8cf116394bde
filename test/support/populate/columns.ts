import type { Client } from 'pg';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** The values that a check constraint lists. */
  readonly allowed: readonly string[];
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly references: readonly Reference[];
  readonly checks: readonly Check[];
}

interface Reference {
  readonly to: string;
  readonly columns: readonly string[];
  readonly toColumns: readonly string[];
}

interface Check {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables of a backup, without those of the installation, for any schema. */
export async function tablesToFill(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  return inOrder(rows);
}

/** Tables of the installation that nothing fills by itself. */
export async function tablesOfNobody(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and c.relpersistence = 'p' and not (${UNLOGGED}) and not (${OWNED}) order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Tables without lasting rows: on a cluster they are logged. */
const UNLOGGED = `c.relname in ('changes', 'presences')`;

const OWNED = `c.relname = 'sub_accounts' or exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sub_account_id'
)`;

const NAMES = (numbers: string, of: string) => `array(
  select a.attname::text from unnest(${numbers}) with ordinality as listed (number, place)
  join pg_attribute a on a.attrelid = ${of} and a.attnum = listed.number order by listed.place)`;

const TABLES = `
  select c.relname as name,
    (select json_agg(json_build_object(
       'name', a.attname, 'type', format_type(a.atttypid, null), 'isNullable', not a.attnotnull,
       'allowed', coalesce((
         select json_agg(m[1]) from pg_constraint k,
           regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') as m
         where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
       ), '[]')) order by a.attnum)
     from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns,
    coalesce((select json_agg(json_build_object(
       'to', k.confrelid::regclass::text,
       'columns', ${NAMES('k.conkey', 'k.conrelid')},
       'toColumns', ${NAMES('k.confkey', 'k.confrelid')}))
     from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), '[]') as references,
    coalesce((select json_agg(json_build_object(
       'name', k.conname, 'columns', ${NAMES('k.conkey', 'k.conrelid')}))
     from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'), '[]') as checks
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and c.relpersistence = 'p' and not (${UNLOGGED}) and (${OWNED})
  order by c.relname`;

/** Sorted so that each follows the tables it references. */
function inOrder(tables: readonly Table[]): readonly Table[] {
  const sorted: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = left.map(({ name }) => name);
    const waits = ({ name, references }: Table) =>
      references.some(({ to }) => to !== name && names.includes(to));
    const ready = left.filter((table) => !waits(table));
    if (ready.length === 0) {
      throw new Error(`tables refer to each other in a circle: ${names.join(', ')}`);
    }
    sorted.push(...ready);
    left = left.filter(waits);
  }
  return sorted;
}
