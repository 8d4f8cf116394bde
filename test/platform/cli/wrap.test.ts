import { expect, test } from 'vitest';
import { wrap } from '#platform/cli/wrap.ts';

test('breaks a line between words and indents what follows', () => {
  expect(wrap('⚠ mail: FRONTDESK_MAIL_FROM is not set – set it', 20)).toBe(
    '⚠ mail:\n  FRONTDESK_MAIL_FROM\n  is not set – set\n  it',
  );
});

test('leaves a longer word whole, and a line without a width as it is', () => {
  expect(wrap('a-very-long-word b', 5)).toBe('a-very-long-word\n  b');
  expect(wrap('one two three', undefined)).toBe('one two three');
});
