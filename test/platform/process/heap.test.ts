import { afterEach, expect, test, vi } from 'vitest';
import { compactAfterStart } from '#platform/process/heap.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('memory that only the start used is returned once, after the start', () => {
  vi.useFakeTimers();
  const gc = vi.fn<NodeJS.GCFunction>();
  vi.stubGlobal('gc', gc);
  compactAfterStart();
  expect(gc).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(gc.mock.calls).toEqual([[{ type: 'major', execution: 'sync', flavor: 'last-resort' }]]);
});

test('a process without the flag goes on', () => {
  vi.useFakeTimers();
  vi.stubGlobal('gc', undefined);
  compactAfterStart();
  expect(() => vi.advanceTimersByTime(60_000)).not.toThrow();
});
