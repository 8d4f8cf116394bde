import { textOf, type WireRow } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import { slices } from '#lib/in-slices.ts';
import { bound } from './bound.ts';
import { bindingsOf, type Person } from './person.ts';
import { allRows, type PersonalTable } from './personal-data.ts';

/** Columns that are no data of the person. */
const INTERNAL = [
  'sub_account_id',
  'search_text',
  'tag_keys',
  'addresses',
  'secret_hash',
  'claimed_by',
  'chat_position',
  'activity_hour',
];

const PAGE_ROWS = 200;
/** Half of what a page may have: PostgreSQL has to end the connection of a larger one. */
const PAGE_BYTES = 2_000_000;
/** The first page shows how large the rows are. */
const FIRST_ROWS = 8;

/**
 * Yields a person's rows of a table as JSON, in the order of their keys. Only the keys of all rows are in
 * memory, with one page of rows. Other work runs between rows.
 */
export async function* rowsOfPerson(
  view: View,
  person: Person,
  one: PersonalTable,
): AsyncGenerator<string> {
  const slice = slices(view.subAccountId);
  for await (const page of pagesOf(view, one.table, await keysOf(view, person, one))) {
    for (const row of page) {
      yield JSON.stringify(camelCased(JSON.parse(textOf(row, 1) ?? '{}') as object));
      const pause = slice();
      if (pause) {
        await pause;
      }
    }
  }
}

/** How rows are found by their keys, `$2`. */
interface Keys {
  readonly key: string;
  readonly condition: string;
}

const BY_ID: Keys = { key: 't.id', condition: 't.id = any($2::text[]::uuid[])' };

const KEYS: Readonly<Record<string, Keys | undefined>> = {
  list_members: {
    key: `t.list_id::text || '/' || t.contact_id`,
    condition: `(t.list_id, t.contact_id) in (
      select split_part(key, '/', 1)::uuid, split_part(key, '/', 2)::uuid
      from unnest($2::text[]) as key)`,
  },
};

async function keysOf(view: View, person: Person, one: PersonalTable): Promise<string[]> {
  const { key } = KEYS[one.table] ?? BY_ID;
  const { text, values } = bound(
    `select (${key})::text as key from ${one.table} t where ${allRows(one)} order by ${key}`,
    bindingsOf(view, person),
  );
  const rows = await view.rows<{ key: string }>(text, values);
  return rows.map((row) => row.key);
}

async function* pagesOf(
  view: View,
  table: string,
  keys: readonly string[],
): AsyncGenerator<readonly WireRow[]> {
  const { key, condition } = KEYS[table] ?? BY_ID;
  const text = `select (${key})::text, (to_jsonb(t) - '{${INTERNAL.join(',')}}'::text[])::text
    from ${table} t where t.sub_account_id = $1::uuid and ${condition} order by ${key}`;
  let size = FIRST_ROWS;
  let from = 0;
  while (from < keys.length) {
    const part = keys.slice(from, from + size);
    const { rows, hasMore } = await view.wirePage(text, [view.subAccountId, part], size);
    yield rows;
    // A page of large rows ends early.
    from += hasMore ? part.indexOf(textOf(rows.at(-1), 0) ?? '') + 1 : part.length;
    size = rows.length > 0 ? sizeAfter(rows) : size;
  }
}

/** Returns how many rows the next page has if they are as large as these. */
function sizeAfter(rows: readonly WireRow[]): number {
  const bytes = rows.reduce((sum, { start, end }) => sum + end - start, 0);
  return Math.max(1, Math.min(PAGE_ROWS, Math.floor((PAGE_BYTES * rows.length) / bytes)));
}

/** The names of the API; members that people named stay as they are. */
const camelCased = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
