import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRetryAfter, waitAfter } from '#lib/retry-wait.ts';

const STEPS = [5_000, 300_000, 1_800_000];
const wait = (attempt: number, random: number, retryAfterMs?: number) =>
  waitAfter({ attempt, steps: STEPS, retryAfterMs, random });

describe('the wait after a failed attempt', () => {
  test.each([
    [1, 0, 4_000],
    [1, 0.5, 5_000],
    [1, 1, 6_000],
    [2, 0.5, 300_000],
    [3, 0.5, 1_800_000],
  ])('after attempt %i, with chance %d, is %i ms', (attempt, random, ms) => {
    expect(wait(attempt, random)).toBe(ms);
  });

  test('is undefined after the last attempt', () => {
    expect(wait(4, 0.5)).toBeUndefined();
    expect(wait(4, 0.5, 60_000)).toBeUndefined();
  });

  test.each([
    ['is kept between one and two steps', 7_000, 7_000],
    ['is kept up to two steps', 10_000, 10_000],
    ['is cut at two steps', 3_600_000, 10_000],
    ['does not shorten a step', 1_000, 5_000],
    ['of nothing changes nothing', 0, 5_000],
  ])('Retry-After %s', (_, asked, ms) => {
    expect(wait(1, 0.5, asked)).toBe(ms);
  });

  test.each([0, 4_500, 5_000])(
    'an early random wait is a whole step for Retry-After %i',
    (asked) => {
      expect(wait(1, 0, asked)).toBe(5_000);
      expect(wait(1, 0)).toBe(4_000);
    },
  );

  test('is between 0.8 and 2 steps, whatever the receiver asks for', () => {
    const asked = fc.option(fc.integer({ min: 0, max: 10 ** 9 }), { nil: undefined });
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        chance,
        asked,
        (attempt, random, retryAfterMs) => {
          const step = STEPS[attempt - 1] ?? 0;
          const ms = wait(attempt, random, retryAfterMs) ?? 0;
          expect(ms).toBeGreaterThanOrEqual(step * 0.8);
          expect(ms).toBeLessThanOrEqual(step * 2);
          expect(ms).toBeGreaterThanOrEqual(Math.min(retryAfterMs ?? 0, step * 2));
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  test.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('%j is %i ms', (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });

  test.each([['soon'], ['-5'], ['1.5'], [''], ['2026-11-21T12:00:30Z'], ['1e3'], ['9'.repeat(40)]])(
    '%j is ignored',
    (header) => {
      expect(readRetryAfter(header, now)).toBeUndefined();
    },
  );

  test('may be missing', () => {
    expect(readRetryAfter(undefined, now)).toBeUndefined();
  });
});
