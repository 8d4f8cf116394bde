import { readFile } from 'node:fs/promises';
import {
  COORDINATOR_TABLES,
  DISTRIBUTION_COLUMN,
  isUndistributed,
  REFERENCE_TABLES,
} from '#platform/database/cluster/table-placement.ts';
import { describe, expect, test } from '../../support/service.ts';

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

describe('distribution by sub-account', () => {
  test('covers every table except those listed with a reason', async ({ running }) => {
    const tables = await running.database.rows<{ table: string; owned: boolean }>(TABLES);
    expect(tables.length).toBeGreaterThan(50);
    const others = tables.filter(({ table, owned }) => !owned && !isUndistributed(table));
    expect(others).toEqual([]);
    const gone = [...REFERENCE_TABLES.keys(), ...COORDINATOR_TABLES.keys()].filter((name) =>
      tables.every(({ table }) => table !== name),
    );
    expect(gone).toEqual([]);
  });

  test('finds the sub-account in every key, unique index and exclusion', async ({ running }) => {
    const { database } = running;
    const keys = (await database.rows<Key>(KEYS)).filter(({ table }) => !isUndistributed(table));
    const unique = keys.filter(({ to }) => to === null);
    expect(unique.length).toBeGreaterThan(60);
    expect(unique.filter(({ columns }) => !columns.includes(DISTRIBUTION_COLUMN))).toEqual([]);
    const exclusions = await database.rows<{ text: string }>(EXCLUSIONS);
    expect(exclusions.length).toBeGreaterThan(0);
    expect(
      exclusions.filter(({ text }) => !text.includes(`${DISTRIBUTION_COLUMN} WITH =`)),
    ).toEqual([]);
  });

  test('finds it at the same place on both sides of every reference', async ({ running }) => {
    const keys = (await running.database.rows<Key>(KEYS)).filter(({ to }) => to !== null);
    expect(keys.length).toBeGreaterThan(60);
    const crossing = keys.filter(({ table, to, columns, toColumns }) => {
      const [place, there] = [
        columns.indexOf(DISTRIBUTION_COLUMN),
        toColumns?.indexOf(DISTRIBUTION_COLUMN),
      ];
      const isOfNode =
        !isUndistributed(table) && !isUndistributed(to ?? '') && place >= 0 && place === there;
      // Every node has those as a whole.
      return !isOfNode && !REFERENCE_TABLES.has(to ?? '');
    });
    expect(crossing).toEqual([]);
  });

  test('is documented in docs/scaling.md: the tables that are elsewhere, and why', async () => {
    const doc = await readFile('docs/scaling.md', 'utf8');
    for (const [table, why] of [...REFERENCE_TABLES, ...COORDINATOR_TABLES]) {
      expect(doc).toContain(`- \`${table}\`: ${why}`);
    }
  });
});
