import { impersonalTables } from '../../src/privacy/impersonal-data.ts';
import { personalTables } from '../../src/privacy/personal-data.ts';
import { KEPT_TEXTS } from '../privacy/kept-texts.ts';
import { describe, expect, test } from '../support/service.ts';

const COLUMNS = `select c.relname as table, array_agg(a.attname::text order by a.attname) as columns,
    array_agg(a.attname::text order by a.attname) filter (
      where format_type(a.atttypid, null) ~ '^(?:text|character|json|bytea)'
        and a.attgenerated = '' and not exists (
          select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
            and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) ~ 'ANY')) as texts
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and c.relname <> 'migrations'
  group by c.relname order by c.relname`;

interface TableRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly texts: readonly string[] | null;
}

describe('every table', () => {
  test('is erased with a person, or is listed with the reason why it has no data of contacts', async ({
    running: { database },
  }) => {
    const tables = await database.rows<TableRow>(COLUMNS, []);
    const listed = [...personalTables.map(({ table }) => table), ...impersonalTables.keys()].sort();
    expect(
      listed,
      'list a new table in src/privacy/personal-data.ts: how a person is erased from it, or why it has nothing to erase',
    ).toEqual(tables.map(({ table }) => table));
  });

  test('with a reference to contacts or their records is one of those that are erased', async ({
    running: { database },
  }) => {
    const tables = await database.rows<TableRow>(COLUMNS, []);
    const referring = tables.filter(({ columns }) =>
      columns.some((name) => /^(?:contact|conversation|message)_id$/.test(name)),
    );
    const erased = new Set(personalTables.map(({ table }) => table));
    // The rows of `changes` live for an hour and hold ids only.
    expect(referring.map(({ table }) => table).filter((name) => !erased.has(name))).toEqual([
      'changes',
    ]);
  });

  test('that keeps its rows blanks every text of a person in them', async ({
    running: { database },
  }) => {
    const tables = await database.rows<TableRow>(COLUMNS, []);
    for (const { table, erase } of personalTables) {
      const texts = tables.find((one) => one.table === table)?.texts ?? [];
      if (erase !== 'delete' && table !== 'opt_outs') {
        const blanked = erase === 'own' ? ['data'] : Object.keys(erase);
        const kept = texts.filter((name) => !blanked.includes(name));
        expect(kept, `${table}: blank a new column, or list it in KEPT_TEXTS`).toEqual(
          KEPT_TEXTS[table] ?? [],
        );
      }
    }
  });
});
