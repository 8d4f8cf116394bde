import * as fc from 'fast-check';
import { Type } from 'typebox';
import { jsonText } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import { columnsOf, joinRows, textOf, type WireRow } from '#core/schema/wire-row.ts';
import { describe, expect, test } from '../../support/service.ts';

const noteSchema = s.response({
  title: s.nullable(Type.String()),
  tags: Type.Array(Type.String()),
  fields: Type.Record(Type.String(), Type.Unknown()),
  isOpen: Type.Boolean(),
  at: s.isoTime(),
  count: Type.Integer(),
});

const record = recordSchema(noteSchema, 'n');

/** Selects one row for each title; its tags are the given ones. */
const SELECT = `select 'first', ${record.members}
  from (select title, $2::text[] as tags, $3::jsonb as fields, true as is_open,
      timestamptz '2026-01-31 09:00:00.25Z' as at, position as count
    from unnest($1::text[]) with ordinality as one (title, position)) as n
  order by n.count`;

/** Everything but U+0000, which PostgreSQL stores in no text. */
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 2_000 }), fc.constant('NULL'))
  .map((value) => value.replaceAll('\0', '').toWellFormed());

describe('records', () => {
  test('are the JSON of what was stored, whatever it is', async ({ running: { database } }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(text), { minLength: 1, maxLength: 30 }),
        fc.array(text, { maxLength: 5 }),
        fc.dictionary(text, text),
        async (titles, tags, fields) => {
          const rows = await database.wireRows(SELECT, [titles, tags, JSON.stringify(fields)]);
          const stored = titles.map((title, index) => ({
            title,
            tags,
            fields,
            isOpen: true,
            at: '2026-01-31T09:00:00.250Z',
            count: index + 1,
          }));
          expect(JSON.parse(jsonText(record.encodeAll(rows, 1)))).toEqual(stored);
          expect(JSON.parse(jsonText(record.encode(rows[0] as WireRow, 1)))).toEqual(stored[0]);
          expect(rows.map((row) => textOf(row, 1))).toEqual(titles);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.for([
    ['without a fraction', '2026-01-31 09:00:00Z', '2026-01-31T09:00:00.000Z'],
    ['with milliseconds', '2026-01-31 09:00:00.123Z', '2026-01-31T09:00:00.123Z'],
    ['of another zone', '2026-01-31 00:30:00.5+02', '2026-01-30T22:30:00.500Z'],
  ])('write times %s as API times', async ([, stored, shown], { running: { database } }) => {
    const times = recordSchema(s.response({ at: s.isoTime() }), 't');
    const from = `(select $1::timestamptz as at) as t`;
    const [row] = await database.wireRows(`select ${times.members} from ${from}`, [stored]);
    expect(jsonText(times.encode(row as WireRow, 0))).toBe(`{"at":"${shown}"}`);
  });

  test.for([
    ['{{a,b},{c,d}}', '[["a","b"],["c","d"]]'],
    ['[0:1]={a,b}', '["a","b"]'],
    ['{}', '[]'],
    ['{NULL,"NULL",Nora}', '[null,"NULL","Nora"]'],
  ])('write the array %s', async ([stored, shown], { running: { database } }) => {
    const lists = recordSchema(s.response({ tags: Type.Array(Type.String()) }), 't');
    const text = `select ${lists.members} from (select $1::text[] as tags) as t`;
    const [row] = await database.wireRows(text, [stored]);
    expect(jsonText(lists.encode(row as WireRow, 0))).toBe(`{"tags":${shown}}`);
  });

  test('of several megabytes are complete', async ({ running: { database } }) => {
    const titles = ['a'.repeat(3_000_000), 'ü"\n'.repeat(500_000), 'short'];
    const rows = await database.wireRows(SELECT, [titles, [], '{}']);
    const shown = JSON.parse(jsonText(record.encodeAll(rows, 1))) as { title: string }[];
    expect(shown.map(({ title }) => title)).toEqual(titles);
  });

  test('are apart, although statements run at the same time', async ({ running: { database } }) => {
    const lists = Array.from({ length: 20 }, (_, n) =>
      Array.from({ length: 200 }, (__, index) => `${n} `.repeat(index)),
    );
    const found = await Promise.all(
      lists.map((titles) => database.wireRows(SELECT, [titles, [], '{}'])),
    );
    expect(found.map((rows) => rows.map((row) => textOf(row, 1)))).toEqual(lists);
  });

  test('fail with the error of PostgreSQL, and the connection stays usable', async ({
    running: { database },
  }) => {
    await expect(database.wireRows('select 1 / $1::int', [0])).rejects.toMatchObject({
      code: '22012',
      stack: expect.stringContaining('record.test.ts'),
    });
    const [row] = await database.wireRows('select $1::int', [7]);
    expect(textOf(row, 0)).toBe('7');
  });

  test('take values as other statements do, and refuse what cannot be sent', async ({
    running: { database },
  }) => {
    const at = new Date('2026-01-31T09:00:00.250Z');
    const values = [at, ['a,b', null, '"'], { a: [1] }, null, true];
    const text = `select ($1::timestamptz = '${at.toISOString()}')::text, $2::text[]::text,
      $3::jsonb::text, $4::text, $5::bool::text`;
    const [row] = await database.wireRows(text, values);
    const texts = values.map((_, column) => textOf(row, column));
    expect(texts).toEqual(['true', '{"a,b",NULL,"\\""}', '{"a": [1]}', null, 'true']);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(database.wireRows('select $1::jsonb', [circular])).rejects.toThrow(/circular/);
    expect(textOf((await database.wireRows(text, values))[0], 0)).toBe('true');
  });
});

describe('rows', () => {
  test('are divided and joined by columns', async ({ running: { database } }) => {
    const [row] = (await database.wireRows(`select 'a', null, 'c', ''`, [])) as [WireRow];
    const texts = (one: WireRow) => [0, 1, 2, 3, 4].map((column) => textOf(one, column));
    expect(texts(row)).toEqual(['a', null, 'c', '', null]);
    expect(texts(columnsOf(row, 1, 2))).toEqual([null, 'c', null, null, null]);
    const joined = joinRows([columnsOf(row, 2, 1), columnsOf(row, 0, 2)]);
    expect(texts(joined)).toEqual(['c', 'a', null, null, null]);
    expect(texts(joinRows([]))).toEqual([null, null, null, null, null]);
  });
});
