import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseLargeValues, valuesThatFit } from '../../src/contacts/fields/limit-values.ts';

const LIMIT = 1_000_000;

/** Control characters take six bytes in JSON, quotes two, others up to four. */
const text = fc
  .record({
    unit: fc.constantFrom('x', '"', 'é', '漢', '🎉', '\u0001'),
    length: fc.integer({ min: 0, max: 90_000 }),
  })
  .map(({ unit, length }) => unit.repeat(length));
const value = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const values = (prefix: string) =>
  fc
    .array(value, { maxLength: 8 })
    .map((list) => Object.fromEntries(list.map((one, n) => [`${prefix}${n}`, one])));

const bytesOf = (object: object): number => Buffer.byteLength(JSON.stringify(object));

function throws(work: () => void): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

test('values are refused if they have more bytes as JSON than the limit and than before', () => {
  fc.assert(
    fc.property(values('a'), values('b'), (before, after) => {
      const isRefused = bytesOf(after) > Math.max(LIMIT, bytesOf(before));
      expect(throws(() => refuseLargeValues(before, after))).toBe(isRefused);
    }),
    { numRuns: 60 },
  );
});

test('added values fit beside the stored ones, and those left out do not', () => {
  fc.assert(
    fc.property(values('a'), values('b'), (stored, added) => {
      const fitting = valuesThatFit(stored, added);
      const together = { ...stored, ...fitting };
      expect(bytesOf(together)).toBeLessThanOrEqual(Math.max(LIMIT, bytesOf(stored)));
      const omitted = Object.entries(added).filter(([name]) => !Object.hasOwn(fitting, name));
      for (const [name, one] of omitted) {
        expect(bytesOf({ ...together, [name]: one })).toBeGreaterThan(LIMIT);
      }
    }),
    { numRuns: 60 },
  );
});

test('the limit is exact', () => {
  const rest = LIMIT - bytesOf({ a: '' });
  expect(() => refuseLargeValues({}, { a: 'x'.repeat(rest) })).not.toThrow();
  expect(() => refuseLargeValues({}, { a: 'x'.repeat(rest + 1) })).toThrow('at most 1000000');
});
