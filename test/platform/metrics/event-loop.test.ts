import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchEventLoop } from '#platform/metrics/process.ts';

const BLOCKED_MS = 1_200;

function block(): void {
  const end = performance.now() + BLOCKED_MS;
  while (performance.now() < end) {
    // Nothing else runs meanwhile.
  }
}

test.each([0, 100])('a loop that stalls %i ms after the last call is late', async (after) => {
  const late = watchEventLoop();
  await sleep(100);
  late();
  await sleep(after);
  block();
  await sleep(60);
  expect(late()).toBeGreaterThan((BLOCKED_MS / 1_000) * 0.8);
});

test('measures the time since its last call', async () => {
  const late = watchEventLoop();
  await sleep(50);
  block();
  await sleep(60);
  const first = late();
  await expect.poll(late, { interval: 100 }).toBeLessThan(first);
});
