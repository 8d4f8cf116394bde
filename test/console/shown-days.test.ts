import { CalendarDate } from '@internationalized/date';
import { describe, expect, test } from 'vitest';
import { dateAfter, daysShown, onDay } from '../../web/console/calendar/shown-days.ts';

const ZONE = 'Europe/Berlin';
const MARCH = new CalendarDate(2027, 3, 28);
const OCTOBER = new CalendarDate(2027, 10, 31);

const ends = (days: readonly CalendarDate[]) => [days[0]?.toString(), days.at(-1)?.toString()];

describe('the days of a view', () => {
  test('are whole weeks for a month, in the week of the language', () => {
    const german = daysShown('month', MARCH, 'de-DE');
    expect(ends(german)).toEqual(['2027-03-01', '2027-04-04']);
    expect(german).toHaveLength(35);
    expect(ends(daysShown('month', MARCH, 'en-US'))).toEqual(['2027-02-28', '2027-04-03']);
    const february = new CalendarDate(2027, 2, 10);
    expect(daysShown('month', february, 'de-DE')).toHaveLength(28);
  });

  test('are a day, a week, or two weeks of an agenda', () => {
    expect(daysShown('day', MARCH, 'de-DE')).toHaveLength(1);
    expect(ends(daysShown('week', MARCH, 'de-DE'))).toEqual(['2027-03-22', '2027-03-28']);
    expect(ends(daysShown('agenda', MARCH, 'de-DE'))).toEqual(['2027-03-28', '2027-04-10']);
  });

  test('move by the length of the view; a month from its first day, so that none is left out', () => {
    const last = new CalendarDate(2027, 1, 31);
    expect(dateAfter('month', last, 1).toString()).toBe('2027-02-01');
    expect(dateAfter('month', last, -1).toString()).toBe('2026-12-01');
    expect(dateAfter('agenda', last, 1).toString()).toBe('2027-02-14');
    expect(dateAfter('week', last, -1).toString()).toBe('2027-01-24');
  });
});

describe('an appointment', () => {
  const span = (startTime: string, endTime: string) => ({ startTime, endTime });

  test('lies on its local day, also on days of 23 and 25 hours', () => {
    const late = span('2027-03-28T21:00:00Z', '2027-03-28T22:00:00Z');
    const next = span('2027-03-28T22:00:00Z', '2027-03-28T23:00:00Z');
    expect(onDay([next, late], MARCH, ZONE)).toEqual([late]);
    const lastHour = span('2027-10-31T22:00:00Z', '2027-10-31T23:00:00Z');
    expect(onDay([lastHour], OCTOBER, ZONE)).toEqual([lastHour]);
    expect(onDay([lastHour], OCTOBER.add({ days: 1 }), ZONE)).toEqual([]);
  });

  test('that passes midnight lies on both days; all are in order', () => {
    const night = span('2027-10-30T21:00:00Z', '2027-10-30T23:30:00Z');
    const early = span('2027-10-30T20:00:00Z', '2027-10-30T20:30:00Z');
    expect(onDay([night, early], new CalendarDate(2027, 10, 30), ZONE)).toEqual([early, night]);
    expect(onDay([night, early], OCTOBER, ZONE)).toEqual([night]);
  });
});
