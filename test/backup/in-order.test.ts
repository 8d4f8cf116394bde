import { describe, expect, test } from 'vitest';
import { inOrder } from '../../src/backup/catalogue.ts';

const sorted = (names: string, references: readonly string[]) =>
  inOrder(
    names.split('').map((table) => ({ table })),
    references.map(([from = '', to = '']) => ({ from, to })),
  )
    .map(({ table }) => table)
    .join('');

describe('tables in order', () => {
  test.each([
    ['cba', [], 'cba'],
    ['abc', ['ab', 'bc'], 'cba'],
    ['abcd', ['ad', 'bd'], 'cdab'],
    ['ab', ['bz'], 'ab'],
  ])('%s with %j is %s', (names, references, expected) => {
    expect(sorted(names, references)).toBe(expected);
  });

  test('a cycle is an error that names its tables', () => {
    expect(() => sorted('abc', ['ab', 'ba'])).toThrow('form a cycle: a, b');
  });
});
