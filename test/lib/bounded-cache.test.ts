import { expect, test } from 'vitest';
import { boundedCache } from '#lib/bounded-cache.ts';

test('creates a value once per key', () => {
  const cache = boundedCache<object>(2);
  const first = cache('a', () => ({}));
  expect(cache('a', () => ({}))).toBe(first);
  expect(cache('b', () => ({}))).not.toBe(first);
});

test('is emptied when it is full', () => {
  const cache = boundedCache<object>(2);
  const first = cache('a', () => ({}));
  cache('b', () => ({}));
  const third = cache('c', () => ({}));
  expect(cache('c', () => ({}))).toBe(third);
  expect(cache('a', () => ({}))).not.toBe(first);
});
