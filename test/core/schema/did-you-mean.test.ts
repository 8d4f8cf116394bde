import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { didYouMean, mostSimilar } from '#core/schema/did-you-mean.ts';

/** The distance by its definition, without shortcuts. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      table[i]![j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(a.length, b.length);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 12 });

describe('the most similar name', () => {
  test('has the fewest edits, of two the first, and no more than 40 % of the longer word', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 10 }), (given, names) => {
        const edits = names.map((name) => distance(given, name));
        const isSimilar = (name: string, index: number) =>
          (edits[index] ?? 0) <= 0.4 * Math.max(given.length, name.length);
        const fewest = Math.min(
          ...edits.filter((_, index) => isSimilar(names[index] ?? '', index)),
        );
        const first = names.findIndex(
          (name, index) => edits[index] === fewest && isSimilar(name, index),
        );
        expect(mostSimilar(given, names)).toBe(names[first]);
      }),
    );
  });

  test.for([
    ['custm', ['custom', 'costume'], '; did you mean "custom"?'],
    ['Custmo', ['custom'], '; did you mean "custom"?'],
    ['x', ['custom'], ''],
    ['a'.repeat(101), ['a'.repeat(100)], ''],
    ['a'.repeat(100), ['a'.repeat(140)], `; did you mean "${'a'.repeat(140)}"?`],
  ] as const)('of %s among %j is named by %j', ([given, names, expected]) => {
    expect(didYouMean(given, names)).toBe(expected);
  });

  test('is looked for among the first thousand', () => {
    let read = 0;
    function* names() {
      for (; read < 10_000; read += 1) {
        yield `custom_number_${read}`;
      }
    }
    expect(mostSimilar('custom_nmber_999', names())).toBe('custom_number_999');
    expect(read).toBeLessThanOrEqual(1_000);
  });
});
