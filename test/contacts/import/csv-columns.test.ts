import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  guardCell,
  joinList,
  splitList,
  unguardCell,
} from '../../../src/contacts/import/csv-columns.ts';

const HOSTILE = ['=', '+', '-', '@', "'", '\t', '\r', '\n', 'a', ';', '\\', '"', '＝'];

describe('guardCell', () => {
  test.for([
    ['=1+1', "'=1+1"],
    ['+4930123456', "'+4930123456"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ["'=1", "''=1"],
    ['Ada', 'Ada'],
    ["'n Beetje", "'n Beetje"],
    ['a=b', 'a=b'],
    ['', ''],
  ] as const)('writes %j as %j', ([text, cell]) => {
    expect(guardCell(text)).toBe(cell);
    expect(unguardCell(cell)).toBe(text);
  });

  test('an unguarded formula and an apostrophe before a word are read unchanged', () => {
    expect(unguardCell('+4930123456')).toBe('+4930123456');
    expect(unguardCell("'n Beetje")).toBe("'n Beetje");
  });

  test('no guarded cell starts like a formula, and each is read back unchanged', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...HOSTILE) });
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        expect(guardCell(text)).not.toMatch(/^[=+\-@\t\r]/);
        expect(unguardCell(guardCell(text))).toBe(text);
      }),
    );
  });
});

describe('splitList', () => {
  test.for([
    ['vip;newsletter', ['vip', 'newsletter']],
    [' vip ; ;newsletter; ', ['vip', 'newsletter']],
    [String.raw`a\;b;c`, ['a;b', 'c']],
    [String.raw`AC\DC`, [String.raw`AC\DC`]],
    [String.raw`a\\;b`, ['a\\', 'b']],
    ['', []],
  ] as const)('reads %j as %j', ([cell, values]) => {
    expect(splitList(cell)).toEqual(values);
  });

  test('reverses joinList, including semicolons and backslashes', () => {
    const value = fc
      .string({ unit: fc.constantFrom('a', ';', '\\', ' ', ',', '"') })
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(value), (values) => {
        expect(splitList(joinList(values))).toEqual(values);
      }),
    );
  });
});
