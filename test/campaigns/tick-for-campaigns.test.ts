import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tickForCampaigns } from '../../src/campaigns/tick-for-campaigns.ts';

/** A database whose first statement ends when the test says so. */
function slowDatabase() {
  const first = Promise.withResolvers<never[]>();
  let statements = 0;
  return {
    end: () => first.resolve([]),
    statements: () => statements,
    database: {
      rows<T extends object>(): Promise<T[]> {
        statements += 1;
        return statements === 1 ? first.promise : Promise.resolve([]);
      },
    },
  };
}

const log = pino({ level: 'silent' });
const transact = () => Promise.reject(new Error('nothing is due'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a tick that takes a minute is the only one, writes nothing to the terminal, and is waited for', async () => {
  const written = [
    vi.spyOn(process.stderr, 'write'),
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name)),
  ];
  const { database, end, statements } = slowDatabase();
  const ticks = await tickForCampaigns({ database, transact, log });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statements()).toBe(1);
  expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);

  let isStopped = false;
  const stopped = ticks.stop().finally(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  end();
  await stopped;
  await vi.advanceTimersByTimeAsync(60_000);
  // The tick that ran finished its own statements; no other one began.
  expect(statements()).toBe(2);
});

test('ticks go on after one that took a minute', async () => {
  const { database, end, statements } = slowDatabase();
  const ticks = await tickForCampaigns({ database, transact, log });
  await vi.advanceTimersByTimeAsync(60_000);
  end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(statements()).toBeGreaterThan(5);
  await ticks.stop();
});
