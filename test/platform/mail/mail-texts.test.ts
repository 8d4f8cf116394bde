import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOneLine, withoutAddresses } from '#platform/mail/mailer.ts';

/** In quadratic time, a text of this length takes half an hour. */
const LONG = 1_000_000;

describe('a text without addresses', () => {
  test.each([
    ['550 <ada@example.com>: no such user', '550 <…@…>: no such user'],
    ['ada@example.com,bob@example.com', '…@…,…@…'],
    ['a@b@c d@ @e @', '…@… d@ @e @'],
    ['no address', 'no address'],
  ])('%s is %s', (text, shown) => {
    expect(withoutAddresses(text)).toBe(shown);
  });

  test.each([
    ['is one long word', 'a'],
    ['is dots', '.'],
    ['is at signs', '@'],
  ])('is found in linear time if it %s', (_, character) => {
    const text = character.repeat(LONG);
    expect(withoutAddresses(text).length).toBe(character === '@' ? '…@…'.length : LONG);
  });

  test('contains no word with an @ inside, whatever the text', () => {
    const words = fc.constantFrom('@', 'a', 'b.c', ' ', '<', '>', ',', '"', '\n', 'é', '😀');
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        const shown = withoutAddresses(parts.join('')).replaceAll('…@…', '');
        expect(shown).not.toMatch(/[^\s<>,;:"']@[^\s<>,;:"']/);
      }),
    );
  });
});

describe('a text on one line', () => {
  test.each([
    ['a \r\n\t b', 'a b'],
    ['a\u2028b', 'a b'],
    ['a\0 \x07b', 'a b'],
    [' a  b ', 'a  b'],
    ['', ''],
  ])('%j is %j', (text, line) => {
    expect(inOneLine(text)).toBe(line);
  });

  test('takes linear time if it is spaces', () => {
    const spaces = ' '.repeat(LONG);
    expect(inOneLine(`x${spaces}y`)).toBe(`x${spaces}y`);
    expect(inOneLine(`x${spaces}\n${spaces}y`)).toBe('x y');
  });
});
