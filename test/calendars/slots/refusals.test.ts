import { judgeSlot } from '../../../src/calendars/slots/judge-slot.ts';
import { describe, expect, test } from 'vitest';
import { REFUSALS, type Refusal } from '../../../src/calendars/schedule.ts';
import { block, deskOf, everyDay, hour, instant, timesOn, judge } from './desk.ts';

const MONDAY = '2026-11-02';

describe('a start', () => {
  test.each([
    ['at this moment can be booked', { at: '2026-11-02T10:00' }, 'anna'],
    ['a moment ago is in the past', { at: '2026-11-02T10:01' }, 'slot_in_past'],
    [
      'exactly at the end of the notice can be booked',
      { at: '2026-11-02T09:30', minimumNotice: 30 },
      'anna',
    ],
    ['within the notice is too soon', { at: '2026-11-02T09:31', minimumNotice: 30 }, 'too_soon'],
    [
      'exactly as far ahead as allowed can be booked',
      { at: '2026-10-31T10:00', maximumAdvance: 2 },
      'anna',
    ],
    [
      'a minute further is too far ahead',
      { at: '2026-10-31T09:59', maximumAdvance: 2 },
      'too_far_ahead',
    ],
    [
      'at this moment is within an advance of zero days',
      { maximumAdvance: 0, at: '2026-11-02T10:00' },
      'anna',
    ],
  ])('%s', (_, given, answer) => {
    const desk = deskOf(given);
    expect(judge(desk, `${MONDAY}T10:00`)).toBe(answer);
    expect(timesOn(desk, MONDAY).includes('10:00')).toBe(answer === 'anna');
  });

  test('counts elapsed hours: a day of 25 hours is more than one day', () => {
    const desk = deskOf({ at: '2026-10-24T12:00', maximumAdvance: 1, hours: everyDay([0, 1_440]) });
    expect(judge(desk, '2026-10-25T11:00')).toBe('anna');
    expect(judge(desk, '2026-10-25T12:00')).toBe('too_far_ahead');
  });
});

describe('a date', () => {
  test('is full at its limit of bookings, and others are not', () => {
    const desk = deskOf({ maxPerDay: 2, perDate: { [MONDAY]: 2, '2026-11-03': 1 } });
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(judge(desk, `${MONDAY}T09:00`)).toBe('day_full');
    expect(timesOn(desk, '2026-11-03')).toBe('09:00 10:00 11:00');
  });

  test('counts a slot by its start in the calendar’s zone', () => {
    const timezone = 'Pacific/Kiritimati';
    const desk = deskOf({ timezone, maxPerDay: 1, perDate: { [MONDAY]: 1 } });
    expect(judge(desk, '2026-11-02T09:00')).toBe('day_full');
    expect(judge(desk, '2026-11-03T09:00')).toBe('anna');
  });
});

test('the first reason in the contract’s order is returned', () => {
  const worst = deskOf({
    hours: { tue: [[hour(9), hour(12)]] },
    overrides: [{ date: MONDAY, hours: [] }],
    minimumNotice: 60,
    maximumAdvance: 0,
    maxPerDay: 0,
    at: '2026-11-02T10:00',
    blocks: [block('anna', '2026-11-02T00:00', '2026-11-04T00:00')],
  });
  const { schedule, type, busy } = worst;
  const later = { ...schedule, maximumAdvance: null };
  const open = { ...later, overrides: [] };
  const unlimited = { ...open, maxPerDay: null };
  const requests: [typeof schedule, string, number][] = [
    [schedule, '2026-11-02T08:00', 30],
    [schedule, '2026-11-02T08:00', 60],
    [schedule, '2026-11-02T10:30', 60],
    [schedule, '2026-11-02T11:00', 60],
    [later, '2026-11-02T11:00', 60],
    [open, '2026-11-02T11:00', 60],
    [open, '2026-11-03T08:00', 60],
    [open, '2026-11-03T09:10', 60],
    [unlimited, '2026-11-03T09:10', 60],
  ];
  const reasons = requests.map(([requested, text, minutes]) => {
    const start = instant(text);
    const end = start + minutes * 60_000;
    return judgeSlot(requested, type, busy, { start, end, now: worst.now });
  });
  expect(reasons).toEqual(REFUSALS satisfies readonly Refusal[]);
});

test('a start off the grid is within the hours but not a slot', () => {
  const desk = deskOf();
  expect(judge(desk, `${MONDAY}T10:01`)).toBe('slot_unavailable');
  expect(judge(desk, `${MONDAY}T10:30`)).toBe('slot_unavailable');
  expect(judge(desk, `${MONDAY}T08:59`)).toBe('outside_hours');
});

test('any number in a request is refused without a crash', () => {
  const { schedule, type, busy, now } = deskOf();
  const far = 8_640_000_000_000_000;
  const odd = [
    -far,
    -1,
    0,
    0.5,
    far,
    far * 2,
    Number.MAX_SAFE_INTEGER,
    1e300,
    -1e300,
    NaN,
    Infinity,
  ];
  for (const start of odd) {
    for (const end of [start + 3_600_000, start, 0]) {
      expect(REFUSALS).toContain(judgeSlot(schedule, type, busy, { start, end, now }));
    }
  }
});
