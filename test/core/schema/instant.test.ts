import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import { INSTANT_TYPE } from '#core/schema/instant.ts';
import * as s from '#core/schema/schema.ts';

const schema = s.request(s.partial({ at: s.instant(), due: s.nullable(s.instant()) }));
const NINE = Date.UTC(2026, 11, 1, 9);

const checked = (at: unknown) => {
  const value = { at };
  return [issuesOf(schema, value), value.at];
};

describe('a time in a request', () => {
  test.for([
    [NINE, NINE],
    [0, 0],
    [99_999_999, 99_999_999],
    [100_000_000_000, 100_000_000_000],
    [253_402_300_799_999, 253_402_300_799_999],
    ['2026-12-01T09:00:00Z', NINE],
    ['2026-12-01T10:00:00+01:00', NINE],
    ['2026-12-01T04:00-05:00', NINE],
    ['2026-12-01T10:00:00.250+0100', NINE + 250],
    ['2026-12-01T09:00:00.250Z', NINE + 250],
    ['1971-01-01T00:00:00Z', Date.UTC(1971, 0)],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ] as const)('%j is %i', ([given, expected]) => {
    expect(checked(given)).toEqual([[], expected]);
  });

  test.for([100_000_000, 1_796_115_600, 99_999_999_999])(
    '%i is refused because it looks like seconds',
    (at) => {
      const message = `must be epoch milliseconds; ${at} looks like seconds, multiply it by 1000`;
      expect(checked(at)).toEqual([[{ path: '/at', message }], at]);
    },
  );

  test.for([
    ['2026-12-01T09:00:00', 'must have an offset: end the time with Z or an offset such as +01:00'],
    ['2026-12-01', 'must have an offset: end the time with Z or an offset such as +01:00'],
    ['2026-12-01T10:00:00 01:00', 'must have an offset; write the + of an offset as %2B in a URL'],
    ['2026-02-30T09:00:00Z', INSTANT_TYPE],
    ['2026-12-01T25:00:00Z', INSTANT_TYPE],
    ['2026-12-01T24:00:00Z', INSTANT_TYPE],
    ['2026-12-01T09:00:00+25:00', INSTANT_TYPE],
    ['tomorrow', INSTANT_TYPE],
    ['1796115600000', INSTANT_TYPE],
    ['', INSTANT_TYPE],
    ['1969-12-31T23:59:59Z', 'must be a time from 1970 to 9999, in UTC'],
    ['9999-12-31T23:59:59-01:00', 'must be a time from 1970 to 9999, in UTC'],
    [-1, 'must be at least 0, not -1'],
    [253_402_300_800_000, 'must be at most 253402300799999, not 253402300800000'],
    [1.5, INSTANT_TYPE],
    [true, INSTANT_TYPE],
    [null, INSTANT_TYPE],
    [[NINE], INSTANT_TYPE],
  ] as const)('%j is refused: %s', ([at, message]) => {
    expect(checked(at)).toEqual([[{ path: '/at', message }], at]);
  });

  test('may be null where the field is nullable, and is converted there too', () => {
    const value = { due: '2026-12-01T09:00:00Z' };
    expect([issuesOf(schema, value), value]).toEqual([[], { due: NINE }]);
    expect(issuesOf(schema, { due: null })).toEqual([]);
  });

  test('keeps other times in ISO 8601 as text, with a colon in the offset', () => {
    const value = { at: '2026-12-01T10:00:00+0100' };
    const iso = s.request({ at: s.isoTime() });
    expect([issuesOf(iso, value), value.at]).toEqual([[], '2026-12-01T10:00:00+01:00']);
    expect(issuesOf(iso, { at: NINE })).toEqual([
      { path: '/at', message: 'must be a string, not a number' },
    ]);
  });
});
