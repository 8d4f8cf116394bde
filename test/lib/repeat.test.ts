import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from '#lib/repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a run that lasts longer than the interval delays the next one, and stopping waits for it', async () => {
  const runs: (() => void)[] = [];
  const repeating = repeat(50, () => new Promise((resolve) => runs.push(resolve)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toHaveLength(1);
  runs[0]?.();
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toHaveLength(2);
  let isStopped = false;
  const stopped = repeating.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([runs.length, isStopped]).toEqual([2, false]);
  runs[1]?.();
  await stopped;
  expect(isStopped).toBe(true);
});
