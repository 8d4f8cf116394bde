import { CalendarDate } from '@internationalized/date';
import { describe, expect, test } from 'vitest';
import {
  endOf,
  gapsOf,
  laneOf,
  missingRows,
  placeOf,
  rowsOf,
  startOf,
  timeAt,
} from '../../web/console/calendar/day-grid.ts';

const BERLIN = 'Europe/Berlin';
const HOUR_MS = 3_600_000;
const USUAL = new CalendarDate(2026, 11, 24);
const SHORT = new CalendarDate(2026, 3, 29);
const LONG = new CalendarDate(2026, 10, 25);

const place = (day: CalendarDate, startTime: string, endTime: string, week = [day]) =>
  placeOf({ startTime, endTime }, day, rowsOf(week, BERLIN), BERLIN);

describe('the rows of a day', () => {
  test.for([
    [USUAL, 24, 24],
    [SHORT, 23, 24],
    [LONG, 25, 25],
  ] as const)('on %s are the hours of the clock', ([day, hours, rows]) => {
    expect((endOf(day, BERLIN) - startOf(day, BERLIN)) / HOUR_MS).toBe(hours);
    expect(rowsOf([day], BERLIN)).toHaveLength(rows);
  });

  test('name the hour that comes twice, for every day of that week', () => {
    const rows = rowsOf([USUAL, LONG], BERLIN);
    expect(rows.slice(1, 5)).toEqual([
      { hour: 1, isRepeat: false },
      { hour: 2, isRepeat: false },
      { hour: 2, isRepeat: true },
      { hour: 3, isRepeat: false },
    ]);
  });
});

describe('an appointment', () => {
  test('is placed by the clock of the sub-account', () => {
    expect(place(USUAL, '2026-11-24T08:30:00Z', '2026-11-24T09:15:00Z')).toEqual({
      top: 9.5,
      height: 0.75,
    });
  });

  test('that starts within a second is in the row of its hour', () => {
    expect(place(USUAL, '2026-11-24T08:30:00.250Z', '2026-11-24T09:15:00.750Z')).toEqual({
      top: 9.5,
      height: 0.75,
    });
  });

  test('in the hour that comes twice is in its own row', () => {
    expect(place(LONG, '2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z')).toEqual({
      top: 2.5,
      height: 0.5,
    });
    expect(place(LONG, '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z')).toEqual({
      top: 3.5,
      height: 1,
    });
  });

  test('after the hour that is left out is at its time of the clock', () => {
    expect(place(SHORT, '2026-03-29T07:00:00Z', '2026-03-29T08:00:00Z')).toEqual({
      top: 9,
      height: 1,
    });
  });

  test('that passes midnight is on both days', () => {
    const times = ['2026-11-24T22:30:00Z', '2026-11-25T00:00:00Z'] as const;
    expect(place(USUAL, ...times)).toEqual({ top: 23.5, height: 0.5 });
    expect(place(USUAL.add({ days: 1 }), ...times)).toEqual({ top: 0, height: 1 });
    expect(place(USUAL.add({ days: 2 }), ...times)).toBeUndefined();
  });
});

describe('a point of the grid', () => {
  const iso = (day: CalendarDate, row: number, week = [day]) => {
    const at = timeAt(day, row, rowsOf(week, BERLIN), BERLIN);
    return at === undefined ? undefined : new Date(at).toISOString();
  };

  test('is the time whose place it is, in both hours that come twice', () => {
    expect(iso(USUAL, 9.5)).toBe('2026-11-24T08:30:00.000Z');
    expect(iso(LONG, 2.5)).toBe('2026-10-25T00:30:00.000Z');
    expect(iso(LONG, 3.5)).toBe('2026-10-25T01:30:00.000Z');
    expect(iso(LONG, 4)).toBe('2026-10-25T02:00:00.000Z');
  });

  test('is no time in an hour that the day does not have', () => {
    expect(iso(SHORT, 2.5)).toBeUndefined();
    expect(iso(SHORT, 3)).toBe('2026-03-29T01:00:00.000Z');
    expect(iso(USUAL, 3.5, [LONG, USUAL])).toBeUndefined();
    expect(iso(USUAL, 24)).toBeUndefined();
    expect(missingRows(SHORT, rowsOf([SHORT], BERLIN), BERLIN)).toEqual([{ top: 2, height: 1 }]);
    expect(missingRows(LONG, rowsOf([LONG], BERLIN), BERLIN)).toEqual([]);
    const week = rowsOf([LONG, USUAL], BERLIN);
    expect(missingRows(USUAL, week, BERLIN)).toEqual([{ top: 3, height: 1 }]);
  });
});

test('the gaps of a day are what no span covers, on short and long days too', () => {
  const span = (startTime: string, endTime: string) => ({ startTime, endTime });
  const open = [
    span('2026-10-25T08:00:00.000Z', '2026-10-25T11:00:00.000Z'),
    span('2026-10-25T07:00:00.000Z', '2026-10-25T09:00:00.000Z'),
    span('2026-10-25T12:00:00.000Z', '2026-10-26T12:00:00.000Z'),
  ];
  expect(gapsOf(open, LONG, BERLIN)).toEqual([
    span('2026-10-24T22:00:00.000Z', '2026-10-25T07:00:00.000Z'),
    span('2026-10-25T11:00:00.000Z', '2026-10-25T12:00:00.000Z'),
  ]);
  expect(gapsOf([], SHORT, BERLIN)).toEqual([
    span('2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'),
  ]);
});

test('appointments that overlap are side by side, and the others have the whole width', () => {
  const at = (startTime: string, endTime: string) => ({ startTime, endTime });
  const early = at('2026-11-24T08:00:00Z', '2026-11-24T09:00:00Z');
  const over = at('2026-11-24T08:30:00Z', '2026-11-24T09:30:00Z');
  const next = at('2026-11-24T09:00:00Z', '2026-11-24T09:30:00Z');
  const late = at('2026-11-24T10:00:00Z', '2026-11-24T11:00:00Z');
  expect(laneOf([late, next, over, early])).toEqual([
    { item: early, lane: 0, lanes: 2 },
    { item: over, lane: 1, lanes: 2 },
    { item: next, lane: 0, lanes: 2 },
    { item: late, lane: 0, lanes: 1 },
  ]);
});
