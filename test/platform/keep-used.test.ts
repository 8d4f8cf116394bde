import { expect, test } from 'vitest';
import { keepUsed } from '#platform/keep-used.ts';

const always = () => true;

test('what is used stays, and what is not is let go with the next use of another', () => {
  let now = 0;
  const gone: string[] = [];
  const kept = keepUsed<string>({ forMs: 10, clock: () => now, letGo: (one) => gone.push(one) });
  let made = 0;
  const use = (name: string, isFit = always) =>
    kept.use(name, isFit, () => {
      made += 1;
      return `${name}${made}`;
    });

  expect([use('a'), use('b'), use('a')]).toEqual(['a1', 'b2', 'a1']);
  now = 9;
  expect(use('a')).toBe('a1');
  expect(gone).toEqual([]);
  now = 10;
  expect(use('c')).toBe('c3');
  expect(gone).toEqual(['b2']);
  now = 1_000;
  expect(use('c')).toBe('c3');
  expect(gone).toEqual(['b2', 'a1']);
  expect(use('b')).toBe('b4');
});

test('what is no longer fit is let go and made anew', () => {
  const gone: number[] = [];
  const kept = keepUsed<number>({ forMs: 10, clock: () => 0, letGo: (one) => gone.push(one) });
  expect(kept.use('a', always, () => 1)).toBe(1);
  expect(
    kept.use(
      'a',
      (one) => one > 1,
      () => 2,
    ),
  ).toBe(2);
  expect(gone).toEqual([1]);
});
