import { describe, expect, test } from 'vitest';
import {
  after,
  isGivenUp,
  requestsAtOnce,
  type Health,
} from '../../../src/webhooks/subscriptions/health.ts';

const FRESH: Health = { consecutiveFailures: 0, failingForMs: null, pauseMs: null };
const DAY_MS = 86_400_000;

const failed = (times: number, health = FRESH): Health =>
  Array.from({ length: times }).reduce<Health>((one) => after(one, false), health);

describe('the health of a receiver', () => {
  test('counts failures, and keeps how long they last', () => {
    expect(failed(2)).toEqual({ consecutiveFailures: 2, failingForMs: 0, pauseMs: null });
    const failing = { ...FRESH, consecutiveFailures: 7, failingForMs: 5_000 };
    expect(after(failing, false)).toEqual({ ...failing, consecutiveFailures: 8 });
  });

  test('is reset by one success', () => {
    expect(after(failed(250), true)).toEqual(FRESH);
  });

  test.each([
    [99, null],
    [100, 1_000],
    [124, 1_000],
    [125, 2_000],
    [128, 16_000],
    [129, 30_000],
    [5_000, 30_000],
  ])('after %i failures pauses for %s ms', (times, ms) => {
    const health = failed(times);
    expect(health.pauseMs).toBe(ms);
    expect(requestsAtOnce(health)).toBe(ms === null ? 24 : 1);
  });

  test.each([
    [5 * DAY_MS - 1, false],
    [5 * DAY_MS, true],
    [9 * DAY_MS, true],
  ])('is given up after five days without a success: %i ms, %s', (ms, expected) => {
    expect(isGivenUp(after({ ...FRESH, failingForMs: ms }, false))).toBe(expected);
  });

  test('is never given up without a failure', () => {
    expect(isGivenUp(FRESH)).toBe(false);
  });
});
