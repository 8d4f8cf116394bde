import { describe, expect, test } from 'vitest';
import {
  after,
  isGivenUp,
  requestsAtOnce,
  type Health,
} from '../../../src/webhooks/subscriptions/health.ts';

const FRESH: Health = {
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
  lastDeliveryAt: null,
  lastSuccessAt: null,
};
const T0 = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(T0.getTime() + ms);
const DAY_MS = 86_400_000;

const failed = (times: number, health = FRESH): Health =>
  Array.from({ length: times }).reduce<Health>((one) => after(one, false, T0), health);

describe('the health of a receiver', () => {
  test('counts failures since the first of them', () => {
    const health = after(after(FRESH, false, T0), false, later(5_000));
    expect(health).toEqual({
      consecutiveFailures: 2,
      failingSince: T0,
      pausedUntil: null,
      lastDeliveryAt: later(5_000),
      lastSuccessAt: null,
    });
  });

  test('is reset by one success', () => {
    expect(after(failed(250), true, later(1))).toEqual({
      ...FRESH,
      lastDeliveryAt: later(1),
      lastSuccessAt: later(1),
    });
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
    expect(health.pausedUntil).toEqual(ms === null ? null : later(ms));
    expect(requestsAtOnce(health)).toBe(ms === null ? 24 : 1);
  });

  test.each([
    [5 * DAY_MS - 1, false],
    [5 * DAY_MS, true],
    [9 * DAY_MS, true],
  ])('is given up after five days without a success: %i ms, %s', (ms, expected) => {
    expect(isGivenUp(after(FRESH, false, T0), later(ms))).toBe(expected);
  });

  test('is never given up without a failure', () => {
    expect(isGivenUp(FRESH, later(100 * DAY_MS))).toBe(false);
  });
});
