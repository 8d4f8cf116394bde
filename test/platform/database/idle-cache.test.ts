import { expect, test, vi } from 'vitest';
import { idleCache } from '#platform/database/idle-cache.ts';

const always = () => true;

test('a used value stays, and an unused one is disposed of when another one is used', () => {
  let now = 0;
  const gone: string[] = [];
  const kept = idleCache<string>({ forMs: 10, clock: () => now, dispose: (one) => gone.push(one) });
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

test('a value that is no longer fit is disposed of and made again', () => {
  const gone: number[] = [];
  const kept = idleCache<number>({ forMs: 10, clock: () => 0, dispose: (one) => gone.push(one) });
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

test('an unused value is disposed of even if no other value is used', () => {
  vi.useFakeTimers();
  try {
    const gone: string[] = [];
    const clock = () => performance.now();
    const kept = idleCache<string>({ forMs: 1_000, clock, dispose: (one) => gone.push(one) });
    kept.use('a', always, () => 'a1');
    vi.advanceTimersByTime(900);
    kept.use('a', always, () => 'a2');
    vi.advanceTimersByTime(900);
    expect(gone).toEqual([]);
    vi.advanceTimersByTime(1_100);
    expect(gone).toEqual(['a1']);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
