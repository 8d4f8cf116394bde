import { onTestFinished, vi } from 'vitest';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { startUnlessPaused } from '../../../src/commands/server/pause-jobs.ts';
import { expect, test } from '../../support/service.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const lane = { isTaking: true, running: 0, restarts: 0 };

test('jobs whose stop failed start again when they are resumed', async ({ service }) => {
  const { database } = service;
  const stops: (() => Promise<unknown>)[] = [];
  const lifecycle: Lifecycle = {
    end: () => expect.unreachable('the process goes on'),
    onStop: (_, stop) => void stops.push(() => stop(AbortSignal.abort())),
  };
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop().catch(() => undefined)));
  });
  let starts = 0;
  const jobs = await startUnlessPaused(
    { ...service, pollInterval: 50, startPaused: false },
    async (inner) => {
      starts += 1;
      inner.onStop('a part that fails', () => Promise.reject(new Error('it hangs')));
      return { isTaking: () => true, lanes: () => ({ default: lane }) };
    },
    lifecycle,
  );
  expect([starts, jobs.lanes()]).toEqual([1, { default: lane }]);
  await database.rows(`update holding set held_since = now(), reason = 'a test'`);
  await vi.waitFor(() => expect(jobs.pauseReason()).toBe('a test'), WAIT);
  expect(jobs.lanes()).toEqual({});
  await database.rows(
    'update holding set held_since = null, reason = null, releases = releases + 1',
  );
  await vi.waitFor(() => expect(jobs.pauseReason()).toBeUndefined(), WAIT);
  expect([starts, jobs.lanes()]).toEqual([2, { default: lane }]);
});
