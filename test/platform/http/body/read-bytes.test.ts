import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextCycle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openBodyBudget } from '#platform/http/body/budget.ts';
import { readBytes } from '#platform/http/body/read.ts';

const LARGE_BYTES = 100_000;

function requestOf(bytes: Buffer): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.push(bytes);
  request.push(null);
  return request;
}

/** Receives bodies at the same time, and returns in which cycles of the event loop each was complete. */
async function cyclesOf(holders: readonly string[], size: number): Promise<readonly number[]> {
  const budget = openBodyBudget();
  let cycle = 0;
  const all = holders.map(async (holder) => {
    const request = requestOf(Buffer.alloc(size, 'x'));
    const share = budget.open(request, holder);
    expect((await readBytes(request, size, share)).length).toBe(size);
    share.release();
    return cycle;
  });
  const over = new AbortController();
  const done = Promise.all(all).finally(() => over.abort());
  while (!over.signal.aborted) {
    await nextCycle();
    cycle += 1;
  }
  return done;
}

test('large bodies are complete one in a cycle of the event loop', async () => {
  const cycles = await cyclesOf(
    Array.from({ length: 12 }, (_, at) => `net ${at}`),
    LARGE_BYTES,
  );
  expect(new Set(cycles).size).toBe(12);
});

test('a sender of many large bodies leaves every second cycle to another', async () => {
  const cycles = await cyclesOf([...Array.from({ length: 10 }, () => 'many'), 'one'], LARGE_BYTES);
  const [one = 0] = cycles.slice(-1);
  expect(cycles.filter((cycle) => cycle < one).length).toBeLessThan(5);
});

test('small bodies wait for no others', async () => {
  const cycles = await cyclesOf(
    Array.from({ length: 12 }, (_, at) => `net ${at}`),
    1_000,
  );
  expect(new Set(cycles).size).toBeLessThan(3);
});
