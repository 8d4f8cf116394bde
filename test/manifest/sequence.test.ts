import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { movedAmong, sequenceOf } from '../../src/manifest/sequence.ts';

const alphabetically = (a: string, b: string) => (a < b ? -1 : 1);
const keys = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f', 'g'));

describe('the order of a list', () => {
  test.each([
    ['', 'ab', 'ab', ''],
    ['abc', 'abc', 'abc', ''],
    ['abc', 'cb', 'acb', 'cb'],
    ['abc', 'b', 'abc', ''],
    ['abc', 'bx', 'abxc', ''],
    ['abc', 'xb', 'axbc', ''],
    ['abc', 'x', 'abcx', ''],
    ['abc', 'cxa', 'cxba', 'ca'],
  ])('%s and a file that says %s make %s', (stored, named, expected, moved) => {
    expect(sequenceOf(stored.split(''), named.split('')).join('')).toBe(expected);
    expect([...movedAmong(stored.split(''), named.split(''))].join('')).toBe(moved);
  });

  test('contains every key once, named ones in the given order, and is stable', () => {
    fc.assert(
      fc.property(keys, keys, (stored, named) => {
        const sequence = sequenceOf(stored, named);
        expect(sequence.toSorted(alphabetically)).toEqual(
          [...new Set([...stored, ...named])].sort(alphabetically),
        );
        expect(sequence.filter((key) => named.includes(key))).toEqual(named);
        expect(sequenceOf(sequence, named)).toEqual(sequence);
        expect(movedAmong(sequence, named).size).toBe(0);
      }),
    );
  });
});
