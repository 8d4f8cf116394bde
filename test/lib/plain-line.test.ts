import { expect, test } from 'vitest';
import { plainLine } from '../../src/lib/plain-line.ts';

test('a plain line has no line breaks and no controls of direction', () => {
  expect(plainLine('a\nb\u2028c\u2029d\u0085e')).toBe('a b c d e');
  expect(plainLine('\u202Eevil\u202C\u2066x\u2069\u200E\u200F\u061C')).toBe('evilx');
  expect(plainLine('a\u200Bb\uFEFFc\u{E0041}')).toBe('abc');
});

test.each(['👩‍👩‍👧', 'می‌خواهم', 'Zoë O’Neill'])('%s stays as it is', (name) => {
  expect(plainLine(name)).toBe(name);
});
