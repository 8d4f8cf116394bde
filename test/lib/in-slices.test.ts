import { setImmediate as nextCycle } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inSlices } from '#lib/in-slices.ts';

/** Keeps the process busy, on the clock of the test. */
const work = (ms: number): void => void vi.advanceTimersByTime(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Runs computations of 40 ms each, and returns which of them ran in each cycle of the event loop. */
async function cyclesOf(holders: readonly string[]): Promise<string[][]> {
  const cycles: string[][] = [];
  let now: string[] = [];
  const compute = (holder: string) =>
    inSlices(holder, Array.from({ length: 8 }), () => {
      work(5);
      if (now.at(-1) !== holder) {
        now.push(holder);
      }
    });
  const over = new AbortController();
  const all = Promise.all(holders.map(compute)).finally(() => over.abort());
  while (!over.signal.aborted) {
    cycles.push(now);
    now = [];
    await nextCycle();
  }
  await all;
  return cycles.slice(1);
}

test('long computations share the cycles of the event loop, however many there are', async () => {
  const cycles = await cyclesOf(Array.from({ length: 12 }, (_, n) => `one ${n}`));
  expect(cycles.filter((ran) => ran.length > 1)).toEqual([]);
  expect(cycles.length).toBeGreaterThan(12);
});

test('a sub-account with many computations leaves every second slice to another', async () => {
  const cycles = await cyclesOf([...Array.from({ length: 8 }, () => 'many'), 'one']);
  const lastOfOne = cycles.flat().lastIndexOf('one');
  expect(
    cycles
      .flat()
      .slice(0, lastOfOne)
      .filter((holder) => holder === 'many').length,
  ).toBeLessThan(12);
});

test('a computation that throws gives its slice back', async () => {
  let pieces = 0;
  const failing = inSlices('one', Array.from({ length: 20 }), () => {
    work(3);
    pieces += 1;
    if (pieces === 6) {
      throw new Error('too long');
    }
  });
  await expect(failing).rejects.toThrow('too long');
  const cycles = await cyclesOf(['another']);
  expect(cycles.flat()).toContain('another');
});
