import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePeriods } from '../../../src/calendars/external/limit-busy.ts';

type Pairs = readonly (readonly [number, number])[];

const merged = (pairs: Pairs) =>
  mergePeriods(pairs.map(([from, until]) => ({ from, until }))).map(({ from, until }) => [
    from,
    until,
  ]);

test.each<[string, Pairs, Pairs]>([
  [
    'that overlap become one',
    [
      [1, 4],
      [2, 6],
    ],
    [[1, 6]],
  ],
  [
    'that touch become one',
    [
      [1, 4],
      [4, 6],
    ],
    [[1, 6]],
  ],
  [
    'within another add nothing',
    [
      [1, 9],
      [2, 3],
      [5, 6],
    ],
    [[1, 9]],
  ],
  [
    'without or with negative length are left out',
    [
      [1, 1],
      [5, 3],
      [7, 8],
    ],
    [[7, 8]],
  ],
  [
    'come in order',
    [
      [7, 8],
      [1, 2],
    ],
    [
      [1, 2],
      [7, 8],
    ],
  ],
])('times %s', (_, pairs, expected) => {
  expect(merged(pairs)).toEqual(expected);
});

test('merged times contain the same instants, in order and with time between them', () => {
  const instant = fc.integer({ min: 0, max: 30 });
  const contains = (pairs: readonly (readonly number[])[], at: number) =>
    pairs.some(([from = 0, until = 0]) => from <= at && at < until);
  const isSame = fc.property(fc.array(fc.tuple(instant, instant)), (pairs) => {
    const result = merged(pairs);
    for (let at = 0; at <= 30; at += 1) {
      expect(contains(result, at)).toBe(contains(pairs, at));
    }
    const bounds = result.flat();
    expect(bounds).toEqual([...new Set(bounds)].toSorted((one, other) => one - other));
  });
  fc.assert(isSame);
});
