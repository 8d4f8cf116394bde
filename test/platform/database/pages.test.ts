import { Type } from 'typebox';
import { jsonText } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import { wirePageOn, type Database } from '#platform/database/database.ts';
import { readPage } from '#platform/database/pages.ts';
import { cyclesDuring } from '../../support/cycles.ts';
import { describe, expect, test } from '../../support/service.ts';

describe('a page', () => {
  const PAGE = `select counted.total, n.id, n.title
    from (select 7 as total) as counted left join (values ${[3, 2, 1]
      .map((n) => `('${n}', 'Note ${n}')`)
      .join(', ')}) as n (id, title) on n.id <> $1`;
  const notes = recordSchema(s.response({ id: Type.String(), title: Type.String() }), 'n');
  const OWNER = { subAccountId: 'a' };
  const pageOf = async (database: Database, text: string, size: number) =>
    readPage(OWNER, notes, await database.wirePage(text, ['none'], size));

  test('shows its size, the total and where the next one begins', async ({
    running: { database },
  }) => {
    const { data, ...rest } = await pageOf(database, PAGE, 2);
    expect(JSON.parse(jsonText(data))).toEqual([
      { id: '3', title: 'Note 3' },
      { id: '2', title: 'Note 2' },
    ]);
    expect(rest).toEqual({ total: 7, next: '2' });
    expect(await pageOf(database, PAGE, 3)).toMatchObject({ next: null });
  });

  test('without records has the total', async ({ running: { database } }) => {
    const { data, ...rest } = await pageOf(database, `${PAGE} and false`, 2);
    expect([jsonText(data), rest]).toEqual(['[]', { total: 7, next: null }]);
    const nothing = await pageOf(database, `select * from (${PAGE}) as one where false`, 2);
    expect(nothing).toMatchObject({ total: 0, next: null });
  });

  /** Records of 1.5 MB. */
  const LARGE = `select 5 as total, n.id::text, repeat('"', 1500000) as title
    from generate_series(5, 1, -1) as n (id) where $1 <> ''`;

  test('ends at 4 MB of records, while other work goes on, and the next statement runs as usual', async ({
    running: { database },
  }) => {
    const page = await database.wirePage(LARGE, ['none'], 5);
    expect({ ...page, rows: page.rows.length }).toEqual({ rows: 2, hasMore: true });
    const encoding = readPage(OWNER, notes, page);
    expect(await cyclesDuring(encoding)).toBeGreaterThan(0);
    const { data, next } = await encoding;
    expect(next).toBe('4');
    expect(JSON.parse(jsonText(data))).toHaveLength(2);
    expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('has at least one record, however large', async ({ running: { database } }) => {
    const text = LARGE.replace('1500000', '5000000');
    const { rows, hasMore } = await database.wirePage(text, ['none'], 5);
    expect([rows.length, hasMore]).toEqual([1, true]);
  });

  test('that ends early within a transaction leaves its connection as it is', async ({
    running: { database },
  }) => {
    const client = await database.pool.connect();
    const { rows, hasMore } = await wirePageOn(client, LARGE, ['none'], 5);
    const after = await client.query<{ one: number }>('select 1 as one');
    client.release();
    expect([rows.length, hasMore, after.rows]).toEqual([2, true, [{ one: 1 }]]);
  });
});
