import * as fc from 'fast-check';
import { createTask } from 'node-cron';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { cronIssue, lastTick, nextTick } from '../../../src/campaigns/recurring/cron-time.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const DAYS_AHEAD = 8 * 366;

/** The definition of the next tick, day by day, as node-cron matches days. */
function nextByDay(expression: string, zone: string, after: Date): Date | undefined {
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  void task.destroy();
  const today = Temporal.Instant.fromEpochMilliseconds(after.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  for (let days = -1; days < DAYS_AHEAD; days += 1) {
    const date = today.add({ days });
    for (let time = 0; time < 24 && matchesDay(task, date); time += 1) {
      const at = instantOf(date.toPlainDateTime({ hour: time }), zone);
      const atHour = new Date(Date.UTC(date.year, date.month - 1, date.day, time));
      if (task.match(atHour) && at > after.getTime()) {
        return new Date(at);
      }
    }
  }
  return undefined;
}

/** Whether one of the full hours of a day matches. */
const matchesDay = (task: ReturnType<typeof createTask>, date: Temporal.PlainDate): boolean =>
  HOURS.some((hour) => task.match(new Date(Date.UTC(date.year, date.month - 1, date.day, hour))));

const HOURS = [0, 2, 12, 23];

function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  const at = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return at.toPlainDateTime().equals(local)
    ? at.epochMilliseconds
    : (at.getTimeZoneTransition('next')?.epochMilliseconds ?? 0);
}

const hour = fc.constantFrom('0', '2', '23', '12,2', '0,0');
const dayOfMonth = fc.constantFrom(...'* ? 1 15 29 31 L L-3 L-30 15W 1W 31W LW L,3W'.split(' '));
const month = fc.constantFrom('*', '*', '2', 'FEB', '1-3', '11-2', '*/5');
const weekday = fc.constantFrom(
  '*',
  '*',
  '?',
  'MON',
  '6,7',
  '5L',
  '7L',
  '3#1',
  '7#5',
  '5-1',
  '1,1L',
);
const expressions = fc
  .tuple(hour, dayOfMonth, month, weekday)
  .map((fields) => `0 ${fields.join(' ')}`);
const zones = fc.constantFrom(
  ...'UTC Europe/Berlin America/Santiago Asia/Beirut Pacific/Apia'.split(' '),
);
const times = fc.date({
  min: new Date('2010-01-01'),
  max: new Date('2040-01-01'),
  noInvalidDate: true,
});

test('the next tick is what a search day by day finds', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(expressions, zones, times, (expression, zone, after) => {
      fc.pre(cronIssue(expression)?.includes('wrong') !== true);
      expect(nextTick(expression, zone, after)).toEqual(nextByDay(expression, zone, after));
    }),
    { numRuns: 60 },
  );
});

test('the last tick of a span is the last of its next ticks', () => {
  const spans = fc.integer({ min: 0, max: 26 * 60 });
  fc.assert(
    fc.property(expressions, zones, times, spans, (expression, zone, after, minutes) => {
      fc.pre(cronIssue(expression)?.includes('wrong') !== true);
      const until = new Date(after.getTime() + minutes * 60_000);
      let last: Date | undefined;
      let next = nextTick(expression, zone, after);
      while (next && next <= until) {
        last = next;
        next = nextTick(expression, zone, next);
      }
      expect(lastTick(expression, zone, { after, until })).toEqual(last);
    }),
    { numRuns: 150 },
  );
});

test('a hundred expressions of rare days take less time than one search day by day', () => {
  const at = new Date('2026-11-22T12:00Z');
  const one = cpuMs(() => void nextByDay('0 0 29 2 MON', 'UTC', at));
  const hundred = cpuMs(() => {
    for (let minute = 0; minute < 50; minute += 1) {
      cronIssue(`${minute} 0 29 2 MON`);
      nextTick(`${minute} 9 29 2 *`, 'Europe/Berlin', at);
    }
  });
  expect(hundred).toBeLessThan(one);
});
