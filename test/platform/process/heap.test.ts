import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compactHeap } from '#platform/process/heap.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function collections() {
  const gc = vi.fn<NodeJS.GCFunction>();
  vi.stubGlobal('gc', gc);
  return gc;
}

/** Says which part of the time the process works. */
const isBusyFor = (utilization: number) =>
  vi
    .spyOn(performance, 'eventLoopUtilization')
    .mockReturnValue({ idle: 1 - utilization, active: utilization, utilization });

test('memory that only the start used is returned once, after the start', () => {
  const gc = collections();
  compactHeap();
  expect(gc).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE_MS);
  expect(gc.mock.calls).toEqual([[{ type: 'major', execution: 'sync', flavor: 'last-resort' }]]);
});

test('garbage is returned every five minutes, except from a busy process', () => {
  const gc = collections();
  isBusyFor(0.2);
  compactHeap();
  vi.advanceTimersByTime(MINUTE_MS);
  gc.mockClear();
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(gc).toHaveBeenCalledTimes(2);
  isBusyFor(0.9);
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(gc).toHaveBeenCalledTimes(2);
});

test('a process without the flag goes on', () => {
  vi.stubGlobal('gc', undefined);
  compactHeap();
  expect(() => vi.advanceTimersByTime(10 * MINUTE_MS)).not.toThrow();
});
