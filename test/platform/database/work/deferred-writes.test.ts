import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  joinWrites,
  onlyInserts,
  sharedTable,
  type Write,
} from '#platform/database/work/deferred-writes.ts';

const insert = (table: string, ...values: unknown[]): Write => ({
  text: `insert into ${table} values (${values.map((_, n) => `$${n + 1}`).join(', ')})`,
  values,
});
const ADD_JOB: Write = { text: 'select add_job($1, $2)', values: ['mail', {}] };

describe('joinWrites', () => {
  test('renumbers parameters so that each write keeps its values', () => {
    expect(joinWrites([insert('a', 1, 2), insert('b', 3)])).toEqual({
      text: 'with w1 as (insert into b values ($3)), w0 as (insert into a values ($1, $2)) select 1',
      values: [1, 2, 3],
    });
  });

  test('selects the result of a select, which PostgreSQL would otherwise skip', () => {
    const { text } = joinWrites([insert('a', 1), ADD_JOB, ADD_JOB]);
    expect(text).toContain('select (select count(*) from w1), (select count(*) from w2)');
  });

  test('returns the rows of the wanted writes side by side', () => {
    const [one, two] = [insert('a', 1), insert('b', 2)];
    expect(joinWrites([one, ADD_JOB, two], [one, two]).text).toMatch(
      /select w0\.\*, w2\.\*, \(select count\(\*\) from w1\) from w0, w2$/,
    );
    expect(joinWrites([one, ADD_JOB, two], [two]).text).toMatch(/from w2$/);
  });

  test('lets a write use a value twice', () => {
    const twice = { text: 'update a set x = $1 where y = $2 and x <> $1', values: ['x', 'y'] };
    expect(joinWrites([insert('b', 1), twice])).toEqual({
      text: 'with w1 as (update a set x = $2 where y = $3 and x <> $2), w0 as (insert into b values ($1)) select 1',
      values: [1, 'x', 'y'],
    });
  });

  test('keeps more than nine values apart', () => {
    const wide = insert('a', ...Array.from({ length: 12 }, (_, n) => n));
    const { text, values } = joinWrites([wide, wide]);
    expect(text).toContain('($13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)');
    expect(values).toHaveLength(24);
  });

  test('gives every value exactly one number, however many writes there are', () => {
    const write = fc
      .array(fc.integer(), { minLength: 1, maxLength: 15 })
      .map((values) => insert('t', ...values));
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 30 }), (writes) => {
        const { text, values } = joinWrites(writes);
        const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n));
        const inOrder = numbers.toSorted((a, b) => a - b);
        expect(inOrder).toEqual(values.map((_, index) => index + 1));
        expect(values).toEqual(writes.flatMap((one) => one.values));
      }),
    );
  });

  test('returns the same text for the same texts, whatever the values', () => {
    const [one, two] = [
      joinWrites([insert('a', 1), ADD_JOB]),
      joinWrites([insert('a', 2), ADD_JOB]),
    ];
    expect(one.text).toBe(two.text);
  });

  test('throws if two writes change rows of one table, and names the table', () => {
    for (const pair of SHARING) {
      expect(() => joinWrites(pair)).toThrow('two joined statements change rows of a: ');
    }
  });
});

const UPDATE: Write = { text: 'update a set x = $1', values: [1] };
const DELETE: Write = { text: 'DELETE FROM a WHERE x = $1', values: [1] };
const UPSERT: Write = {
  text: 'insert into a (x) values ($1) on conflict (x) do update set x = excluded.x',
  values: [1],
};
const NESTED: Write = { text: 'with gone as (delete from a) insert into b select $1', values: [1] };
const SHARING: readonly (readonly Write[])[] = [
  [UPDATE, UPDATE],
  [UPDATE, DELETE],
  [insert('a', 1), UPDATE],
  [UPDATE, insert('a', 1)],
  [insert('a', 1), UPSERT],
  [UPSERT, UPSERT],
  [NESTED, insert('a', 1)],
];

describe('sharedTable', () => {
  test('is a table that one of two writes changes', () => {
    expect(SHARING.map((pair) => sharedTable(pair))).toEqual(SHARING.map(() => 'a'));
  });

  test('is undefined if writes insert new rows, lock rows, or change different tables', () => {
    const locking: Write = { text: 'select 1 from a for no key update', values: [] };
    const adding: Write = { text: 'insert into a values (1) on conflict do nothing', values: [] };
    const other: Write = { text: 'update only b set x = 1', values: [] };
    expect(sharedTable([insert('a', 1), adding, locking, other, ADD_JOB, ADD_JOB])).toBeUndefined();
    expect(sharedTable([locking, UPDATE])).toBeUndefined();
  });
});

describe('onlyInserts', () => {
  test('is false if a write changes an existing row', () => {
    expect(onlyInserts([insert('a', 1), ADD_JOB])).toBe(true);
    for (const write of [UPDATE, DELETE, UPSERT, NESTED]) {
      expect(onlyInserts([insert('b', 1), write])).toBe(false);
    }
  });
});
