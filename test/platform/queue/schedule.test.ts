import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineJob } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/duration.ts';
import { ENQUEUE_TICK } from '#platform/queue/private-tables.ts';
import { startSchedule } from '#platform/queue/schedule.ts';
import { schedule } from '#registry/schedule.ts';
import { validate } from 'node-cron';

const log = pino({ level: 'silent' });
const sweep = defineJob({ name: 'test/sweep', payload: request({}), maxAttempts: 1 });
const EVERY_5_MIN = [{ job: sweep, cron: '*/5 * * * *' }];
const START = new Date('2026-03-01T11:58:00Z');

/** A database that records the ticks that workers try to claim. */
function openDatabase({ ahead = 0, failures = 0 } = {}) {
  const ticks: string[] = [];
  let failing = failures;
  const rows = async (text: string, values: readonly unknown[] = []) => {
    if (text !== ENQUEUE_TICK) {
      return [{ now: new Date(Date.now() + ahead) }];
    }
    if (failing > 0) {
      failing -= 1;
      throw new Error('the database is away');
    }
    ticks.push((values[1] as Date).toISOString().slice(5, 19));
    return [];
  };
  return {
    ticks,
    database: { rows } as unknown as Parameters<typeof startSchedule>[0]['database'],
  };
}

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('schedule', () => {
  test('claims the last tick at start, and each tick at its time in UTC', async () => {
    const { database, ticks } = openDatabase();
    const periodic = await startSchedule({ database, schedule: EVERY_5_MIN, log });
    await pass(12 * MINUTE_MS);
    expect(ticks).toEqual(['03-01T11:55:00', '03-01T12:00:00', '03-01T12:05:00', '03-01T12:10:00']);
    await periodic.stop();
    await pass(HOUR_MS);
    expect(ticks).toHaveLength(4);
  });

  test('claims nothing at start if the last tick was more than a day ago', async () => {
    const { database, ticks } = openDatabase();
    const monthly = [{ job: sweep, cron: '0 0 15 * *' }];
    const periodic = await startSchedule({ database, schedule: monthly, log });
    await pass(MINUTE_MS);
    expect(ticks).toEqual([]);
    await periodic.stop();
  });

  test('claims only the last of the ticks that were missed while the machine was suspended', async () => {
    const { database, ticks } = openDatabase();
    const periodic = await startSchedule({ database, schedule: EVERY_5_MIN, log });
    await pass(0);
    vi.setSystemTime(START.getTime() + 3 * HOUR_MS);
    await pass(30_000);
    expect([...new Set(ticks)]).toEqual(['03-01T11:55:00', '03-01T14:55:00']);
    await periodic.stop();
  });

  test('goes on ticking after the clock of the machine was put back', async () => {
    const { database, ticks } = openDatabase();
    const periodic = await startSchedule({ database, schedule: EVERY_5_MIN, log });
    await pass(0);
    vi.setSystemTime(START.getTime() - DAY_MS);
    await pass(10 * MINUTE_MS);
    expect(ticks.slice(1)).toEqual(
      expect.arrayContaining(['02-28T11:55:00', '02-28T12:00:00', '02-28T12:05:00']),
    );
    await periodic.stop();
  });

  test('uses the clock of the database if the clocks differ', async () => {
    const { database, ticks } = openDatabase({ ahead: HOUR_MS });
    const periodic = await startSchedule({ database, schedule: EVERY_5_MIN, log });
    await pass(0);
    expect(ticks).toEqual(['03-01T12:55:00']);
    await periodic.stop();
  });

  test('tries a tick again after the database was away', async () => {
    const { database, ticks } = openDatabase({ failures: 2 });
    const periodic = await startSchedule({ database, schedule: EVERY_5_MIN, log });
    await pass(15_000);
    expect(ticks).toEqual(['03-01T11:55:00']);
    await periodic.stop();
  });

  test('writes nothing to the terminal', async () => {
    const written = [
      vi.spyOn(process.stderr, 'write'),
      ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
        vi.spyOn(console, name),
      ),
    ];
    const { database } = openDatabase({ failures: 1 });
    const periodic = await startSchedule({ database, schedule: EVERY_5_MIN, log });
    await pass(HOUR_MS);
    await periodic.stop();
    expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });
});

test.each(schedule)('$job.name has a valid cron expression: $cron', ({ cron }) => {
  expect(validate(cron)).toBe(true);
});
