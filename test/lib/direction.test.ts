import { expect, test } from 'vitest';
import { directionOf } from '#lib/direction.ts';

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['fa-IR', 'rtl'],
  ['ku-Arab', 'rtl'],
  ['de-DE', 'ltr'],
  ['az-Latn', 'ltr'],
  ['not a tag', 'ltr'],
])('the direction of %s is %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction);
});
