import { describe, expect, test } from 'vitest';
import { deskOf, everyDay, hour, slotsOn, timesOn, judge, takersOn } from './desk.ts';

const MONDAY = '2026-11-02';

describe('the grid of starts', () => {
  test.each([
    ['is the duration unless an interval is set', 60, null, '09:00 10:00 11:00'],
    ['is the interval if one is set', 60, 30, '09:00 09:30 10:00 10:30 11:00'],
    ['leaves out starts whose slot ends after the window', 45, 60, '09:00 10:00 11:00'],
    ['counts from the start of the window', 50, null, '09:00 09:50 10:40'],
    ['may be finer than the duration', 180, 5, '09:00'],
    ['is empty if the slot is longer than the window', 181, 5, ''],
  ])('%s', (_, duration, slotInterval, times) => {
    expect(timesOn(deskOf({ duration, slotInterval }), MONDAY)).toBe(times);
  });

  test('starts again in each window, and no slot spans two that touch', () => {
    const hours = everyDay([hour(9), hour(10.25)], [hour(10.25), hour(11.5)]);
    const desk = deskOf({ hours });
    expect(timesOn(desk, MONDAY)).toBe('09:00 10:15');
    expect(judge(desk, `${MONDAY}T10:00`)).toBe('outside_hours');
  });

  test('has a start once where windows overlap', () => {
    const hours = everyDay([hour(9), hour(11)], [hour(10), hour(12)]);
    expect(timesOn(deskOf({ hours }), MONDAY)).toBe('09:00 10:00 11:00');
  });

  test('runs up to 24:00, and a start at 24:00 belongs to the next date', () => {
    const desk = deskOf({ hours: everyDay([hour(22), 1_440]) });
    expect(timesOn(desk, MONDAY)).toBe('22:00 23:00');
    expect(judge(desk, `${MONDAY}T23:00`)).toBe('anna');
    expect(judge(desk, `${MONDAY}T23:30`)).toBe('outside_hours');
    expect(judge(desk, '2026-11-03T00:00')).toBe('outside_hours');
  });
});

describe('a range', () => {
  test('is sorted, each slot with its local date', () => {
    const slots = slotsOn(deskOf({ hours: everyDay([hour(23), 1_440]) }), MONDAY, '2026-11-04');
    expect(slots.map(({ date }) => date)).toEqual([MONDAY, '2026-11-03', '2026-11-04']);
    expect(slots[0]).toEqual({
      start: Date.parse('2026-11-02T22:00:00Z'),
      end: Date.parse('2026-11-02T23:00:00Z'),
      date: MONDAY,
      seatsRemaining: null,
    });
  });

  test('may cross a leap day and a new year', () => {
    const desk = deskOf({ hours: everyDay([0, 60]) });
    expect(slotsOn(desk, '2028-02-28', '2028-03-01')).toHaveLength(3);
    expect(slotsOn(desk, '2026-12-31', '2027-01-01')).toHaveLength(2);
  });
});

describe('an override', () => {
  const hours = { mon: [[hour(9), hour(10)]] } as const;
  const overrides = [
    { date: MONDAY, hours: [] },
    { date: '2026-11-08', hours: [[hour(14), hour(16)]] },
  ] as const;
  const desk = deskOf({ hours, overrides });

  test('closes its date and no other', () => {
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(judge(desk, `${MONDAY}T09:00`)).toBe('date_unavailable');
    expect(timesOn(desk, '2026-11-09')).toBe('09:00');
  });

  test('opens a date whose weekday has no hours', () => {
    expect(timesOn(desk, '2026-11-08')).toBe('14:00 15:00');
    expect(judge(desk, '2026-11-01T14:00')).toBe('day_unavailable');
  });

  test('applies to members with own hours', () => {
    const own = everyDay([hour(17), hour(18)]);
    const members = [{ memberId: 'anna' }, { memberId: 'ben', hours: own }];
    const both = deskOf({ hours, overrides, members });
    expect(timesOn(both, MONDAY)).toBe('');
    expect(takersOn(both, '2026-11-08')).toEqual(['anna ben', 'anna ben']);
    expect(timesOn(both, '2026-11-09')).toBe('09:00 17:00');
  });
});

test('a calendar without members offers nothing', () => {
  for (const kind of ['personal', 'round-robin', 'collective', 'class'] as const) {
    const desk = deskOf({ kind, members: [] });
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(judge(desk, `${MONDAY}T09:00`)).toBe('day_unavailable');
  }
});
