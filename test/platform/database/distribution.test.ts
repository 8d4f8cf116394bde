import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '../../support/service.ts';

/** The same on every node, and why: they belong to no sub-account, or are unique beyond it. */
const REFERENCE = new Map([
  ['sub_accounts', 'every other table refers to it, and locationId is unique among all'],
  ['api_keys', 'a key is found by its hash before anybody knows whose it is'],
]);

/** On the coordinator alone, and why. */
const LOCAL = new Map([
  ['holding', 'one row for the installation'],
  ['installation', 'one row for the installation'],
  ['migrations', 'the steps of the schema'],
  ['outbox', 'one publisher takes events of all sub-accounts in their order'],
  ['processes', 'what runs now, of the installation'],
  ['schedule_ticks', 'the periodic jobs of the installation'],
  ['rate_windows', 'of keys and addresses; use Redis by then'],
]);

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** Of a foreign key: what it refers to. */
  readonly to: string | null;
  readonly toColumns: readonly string[] | null;
}

const TABLES = `
  select c.relname as table, exists (select from pg_attribute a
    where a.attrelid = c.oid and a.attname = 'sub_account_id' and a.attnotnull) as owned
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;

/** Unique indexes (primary keys are such, too), exclusion constraints and foreign keys. */
const KEYS = `
  select t.relname as table, i.relname as name, null as to, null as "toColumns",
    array(select attname::text from unnest(x.indkey) as k (n)
      join pg_attribute on attrelid = t.oid and attnum = k.n) as columns
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where t.relnamespace = 'public'::regnamespace and (x.indisunique or x.indisexclusion)
  union all
  select t.relname, k.conname, r.relname,
    array(select attname::text from unnest(k.confkey) with ordinality as c (n, place)
      join pg_attribute on attrelid = r.oid and attnum = c.n order by place),
    array(select attname::text from unnest(k.conkey) with ordinality as c (n, place)
      join pg_attribute on attrelid = t.oid and attnum = c.n order by place)
  from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and t.relnamespace = 'public'::regnamespace`;

/** The expression of an exclusion that a node can hold for itself: the sub-account by equality. */
const EXCLUSIONS = `
  select pg_get_constraintdef(oid) as text from pg_constraint
  where contype = 'x' and connamespace = 'public'::regnamespace`;

/** References that Citus refuses (citus#7132): they clear columns and hold the one distributed by. */
const CLEARING = `
  select t.relname as table, k.conname as name
  from pg_constraint k join pg_class t on t.oid = k.conrelid
  where k.contype = 'f' and k.confdeltype = 'n' and k.connamespace = 'public'::regnamespace
  order by t.relname, k.conname`;

const OWNER = 'sub_account_id';

describe('distribution by sub-account', () => {
  test('covers every table except those listed with a reason', async ({ running }) => {
    const tables = await running.database.rows<{ table: string; owned: boolean }>(TABLES);
    expect(tables.length).toBeGreaterThan(50);
    const others = tables.filter(({ table, owned }) => !owned && !isNamed(table));
    expect(others).toEqual([]);
    const gone = [...REFERENCE.keys(), ...LOCAL.keys()].filter((name) =>
      tables.every(({ table }) => table !== name),
    );
    expect(gone).toEqual([]);
  });

  test('finds the sub-account in every key, unique index and exclusion', async ({ running }) => {
    const { database } = running;
    const keys = (await database.rows<Key>(KEYS)).filter(({ table }) => !isNamed(table));
    const unique = keys.filter(({ to }) => to === null);
    expect(unique.length).toBeGreaterThan(60);
    expect(unique.filter(({ columns }) => !columns.includes(OWNER))).toEqual([]);
    const exclusions = await database.rows<{ text: string }>(EXCLUSIONS);
    expect(exclusions.length).toBeGreaterThan(0);
    expect(exclusions.filter(({ text }) => !text.includes(`${OWNER} WITH =`))).toEqual([]);
  });

  test('finds it at the same place on both sides of every reference', async ({ running }) => {
    const keys = (await running.database.rows<Key>(KEYS)).filter(({ to }) => to !== null);
    expect(keys.length).toBeGreaterThan(60);
    const crossing = keys.filter(({ table, to, columns, toColumns }) => {
      const [place, there] = [columns.indexOf(OWNER), toColumns?.indexOf(OWNER)];
      const isOfNode = !isNamed(table) && !isNamed(to ?? '') && place >= 0 && place === there;
      // Every node has those whole; from them only to each other.
      return !isOfNode && !(REFERENCE.has(to ?? '') && !LOCAL.has(table));
    });
    expect(crossing).toEqual([]);
  });

  test('is documented completely in docs/scale.md, referenced tables first', async ({
    running,
  }) => {
    const tables = await running.database.rows<{ table: string }>(TABLES);
    const keys = await running.database.rows<Key>(KEYS);
    const statements = [
      ...[...REFERENCE.keys()].map((table) => `select create_reference_table('${table}');`),
      ...inOrder(
        tables.map(({ table }) => table).filter((table) => !isNamed(table)),
        keys,
      ).map((table) => `select create_distributed_table('${table}', '${OWNER}');`),
    ];
    const doc = await readFile('docs/scale.md', 'utf8');
    const documented = doc.match(/^select create_(?:reference|distributed)_table.*$/gm);
    expect(documented).toEqual(statements);
    for (const [table, why] of LOCAL) {
      expect(doc).toContain(`\`${table}\`: ${why}`);
    }
  });
});

test('everything that Citus would reject is documented in docs/scale.md', async ({ running }) => {
  const clearing = await running.database.rows<{ table: string; name: string }>(CLEARING);
  const doc = await readFile('docs/scale.md', 'utf8');
  expect(doc.match(/^alter table \w+ drop constraint \w+;$/gm)).toEqual(
    clearing.map(({ table, name }) => `alter table ${table} drop constraint ${name};`),
  );
});

const isNamed = (table: string): boolean => REFERENCE.has(table) || LOCAL.has(table);

/** Each table behind those that it refers to; by name where that leaves a choice. */
function inOrder(tables: readonly string[], keys: readonly Key[]): string[] {
  const placed: string[] = [];
  const waitsFor = (table: string) =>
    keys.some(
      (key) =>
        key.table === table &&
        key.to !== null &&
        key.to !== table &&
        tables.includes(key.to) &&
        !placed.includes(key.to),
    );
  while (placed.length < tables.length) {
    const next = tables.filter((table) => !placed.includes(table)).find((one) => !waitsFor(one));
    if (next === undefined) {
      throw new Error('tables refer to each other in a circle');
    }
    placed.push(next);
  }
  return placed;
}
