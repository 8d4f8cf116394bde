import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cronIssue,
  lastTick,
  nextTick,
  ticksPerDay,
} from '../../../src/campaigns/recurring/cron-time.ts';

/** Returns the next ticks after a time, as ISO text. */
function ticks(expression: string, zone: string, after: string, count: number): string[] {
  const found: string[] = [];
  let at = new Date(after);
  for (let index = 0; index < count; index += 1) {
    const next = nextTick(expression, zone, at);
    if (!next) {
      break;
    }
    found.push(next.toISOString().slice(0, 16));
    at = next;
  }
  return found;
}

describe('the next tick', () => {
  test.each([
    ['0 9 * * MON', 'UTC', '2026-11-22T12:00Z', ['2026-11-23T09:00', '2026-11-30T09:00']],
    ['0 9 * * 1', 'Asia/Tokyo', '2026-11-22T12:00Z', ['2026-11-23T00:00', '2026-11-30T00:00']],
    ['30 8,17 * * 1-5', 'UTC', '2026-11-20T17:30Z', ['2026-11-23T08:30', '2026-11-23T17:30']],
    ['0 7 1 * *', 'UTC', '2026-12-01T07:00Z', ['2027-01-01T07:00', '2027-02-01T07:00']],
    ['0 7 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T07:00', '2032-02-29T07:00']],
    ['0 9 13 * FRI', 'UTC', '2026-11-22T00:00Z', ['2027-08-13T09:00']],
    ['0 9 L * *', 'UTC', '2027-02-01T00:00Z', ['2027-02-28T09:00', '2027-03-31T09:00']],
    ['@daily', 'America/New_York', '2026-11-22T12:00Z', ['2026-11-23T05:00']],
    ['59 23 * * *', 'UTC', '2026-12-31T23:58:59Z', ['2026-12-31T23:59', '2027-01-01T23:59']],
  ])('of %s in %s after %s', (expression, zone, after, wanted) => {
    expect(ticks(expression, zone, after, wanted.length)).toEqual(wanted);
  });

  test.each([
    // Clocks go from 02:00 to 03:00 in Berlin on 2027-03-28.
    ['30 2 * * *', ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30']],
    ['0 3 * * *', ['2027-03-27T02:00', '2027-03-28T01:00', '2027-03-29T01:00']],
  ])('of %s, which a clock change skips, is the next valid time', (expression, wanted) => {
    expect(ticks(expression, 'Europe/Berlin', '2027-03-26T23:00Z', 3)).toEqual(wanted);
  });

  test('of several skipped times is one', () => {
    expect(ticks('*/30 1-3 * * *', 'Europe/Berlin', '2027-03-27T23:59Z', 4)).toEqual([
      '2027-03-28T00:00',
      '2027-03-28T00:30',
      '2027-03-28T01:00',
      '2027-03-28T01:30',
    ]);
  });

  test('of a time that occurs twice is the first one only', () => {
    // Clocks go from 03:00 back to 02:00 in Berlin on 2027-10-31.
    expect(ticks('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z', 2)).toEqual([
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ]);
  });

  test('of a skipped midnight is on the same day', () => {
    // Clocks go from 24:00 to 01:00 in Beirut on 2027-03-28.
    expect(ticks('0 0 * * *', 'Asia/Beirut', '2027-03-27T12:00Z', 1)).toEqual(['2027-03-27T22:00']);
  });

  test('is always later, and no tick is left out or repeated', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 23 }),
        (zone, start, hour) => {
          let at = start;
          for (let index = 0; index < 4; index += 1) {
            const next = nextTick(`15 ${hour} * * *`, zone, at);
            const hours = ((next?.getTime() ?? 0) - at.getTime()) / 3_600_000;
            expect(hours).toBeGreaterThan(0);
            expect(hours).toBeLessThanOrEqual(index === 0 ? 25 : 25.5);
            expect(index === 0 || hours >= 22.5).toBe(true);
            at = next ?? at;
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('the last tick of a span excludes its start and includes its end', () => {
  const last = (after: string, until: string) =>
    lastTick('0 * * * *', 'UTC', { after: new Date(after), until: new Date(until) })?.toISOString();
  expect(last('2026-11-22T09:00Z', '2026-11-22T12:00Z')).toBe('2026-11-22T12:00:00.000Z');
  expect(last('2026-11-22T09:00Z', '2026-11-22T09:59Z')).toBeUndefined();
});

describe('an expression is refused', () => {
  test.each([
    ['0 9 * *', 'five fields'],
    ['0 0 9 * * MON', 'five fields'],
    ['0 25 * * MON', 'wrong hour 25'],
    ['0 9 * * MOX', 'wrong dayOfWeek MOX'],
    ['', 'five fields'],
    ['0 9 30 2 *', 'wrong dayOfMonth 30'],
    ['0 9 29 2 MON', 'no such day within eight years'],
    ['@sometimes', 'is not a cron expression'],
    ['0-199999999 * * * *', 'a number above 99'],
  ])('%j: %s', (expression, message) => {
    expect(cronIssue(expression)).toContain(message);
    expect(cronIssue(expression)).toContain(JSON.stringify(expression));
  });

  test.each(['0 9 * * MON', '*/15 8-18 * * 1-5', '0 7 1,15 * *', '@weekly', '0 9 29 2 *'])(
    '%s is not',
    (expression) => {
      expect(cronIssue(expression)).toBeUndefined();
    },
  );
});

test('the times of a day are counted, each once', () => {
  expect([ticksPerDay('0 9 * * *'), ticksPerDay('* * * * *')]).toEqual([1, 1_440]);
  const all = Array(40).fill('*').join();
  expect(ticksPerDay(`${all} ${all} * * *`)).toBe(1_440);
});
