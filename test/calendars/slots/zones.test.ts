import { describe, expect, test } from 'vitest';
import { deskOf, everyDay, hour, offsetsOn, slotsOn, timesOn, judge } from './desk.ts';

const open = (timezone: string, from: number, to: number, duration = 60) =>
  deskOf({ timezone, hours: everyDay([hour(from), hour(to)]), duration });

describe('an hour that the clocks skip', () => {
  test.each([
    ['is not offered', 'Europe/Berlin', '2027-03-28', 1, 5, '01:00+01:00 03:00+02:00 04:00+02:00'],
    ['leaves a window inside it without slots', 'Europe/Berlin', '2027-03-28', 2, 3, ''],
    ['shifts a window that begins in it', 'Europe/Berlin', '2027-03-28', 2.5, 5, '03:30+02:00'],
    [
      'is two hours long in Antarctica/Troll',
      'Antarctica/Troll',
      '2027-03-28',
      0,
      4,
      '00:00+00:00 03:00+02:00',
    ],
    [
      'is half an hour on Lord Howe',
      'Australia/Lord_Howe',
      '2026-10-04',
      1,
      4,
      '01:00+10:30 02:30+11:00',
    ],
    ['may be the first hour of the date', 'Africa/Cairo', '2027-04-30', 0, 2, '01:00+03:00'],
  ])('%s', (_, timezone, date, from, to, offered) => {
    expect(offsetsOn(open(timezone, from, to), date)).toBe(offered);
  });
});

describe('an hour that the clocks repeat', () => {
  test.each([
    [
      'is offered twice',
      'America/New_York',
      '2026-11-01',
      1,
      3,
      '01:00-04:00 01:00-05:00 02:00-05:00',
    ],
    [
      'belongs to a window around it, both times',
      'Europe/Berlin',
      '2026-10-25',
      2,
      3,
      '02:00+02:00 02:00+01:00',
    ],
    [
      'starts a window at its first occurrence',
      'Europe/Berlin',
      '2026-10-25',
      2.5,
      4,
      '02:30+02:00 02:30+01:00',
    ],
    ['ends a window at its first occurrence', 'Europe/Berlin', '2026-10-25', 1, 2.5, '01:00+02:00'],
    [
      'is half an hour on Lord Howe',
      'Australia/Lord_Howe',
      '2027-04-04',
      1,
      3,
      '01:00+11:00 01:30+10:30',
    ],
    [
      'can be the last hour of the date',
      'Africa/Cairo',
      '2026-10-29',
      22,
      24,
      '22:00+03:00 23:00+03:00 23:00+02:00',
    ],
    [
      'occurs for Ramadan, too',
      'Africa/Casablanca',
      '2026-02-15',
      1,
      4,
      '01:00+01:00 02:00+01:00 02:00+00:00 03:00+00:00',
    ],
  ])('%s', (_, timezone, date, from, to, offered) => {
    expect(offsetsOn(open(timezone, from, to), date)).toBe(offered);
  });

  test('can be booked at either occurrence', () => {
    const desk = open('Europe/Berlin', 0, 24);
    expect(judge(desk, '2026-10-25T02:00+02:00')).toBe('anna');
    expect(judge(desk, '2026-10-25T02:00+01:00')).toBe('anna');
  });
});

describe('hours are local times', () => {
  test.each([
    ['Europe/Berlin', '2026-10-24', '2026-10-24T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-26T08:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-02', '2026-11-01T19:00:00.000Z'],
    ['Etc/GMT+12', '2026-11-02', '2026-11-02T21:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-02', '2026-11-02T03:15:00.000Z'],
    ['America/St_Johns', '2026-11-02', '2026-11-02T12:30:00.000Z'],
    ['Pacific/Chatham', '2026-11-02', '2026-11-01T19:15:00.000Z'],
    ['Australia/Lord_Howe', '2026-11-02', '2026-11-01T22:00:00.000Z'],
  ])('nine o’clock in %s on %s is %s', (timezone, date, utc) => {
    const [slot] = slotsOn(open(timezone, 9, 10), date);
    expect(slot && new Date(slot.start).toISOString()).toBe(utc);
    expect(slot?.date).toBe(date);
  });
});

describe('a day', () => {
  test('of 25 hours has 25 slots of an hour, a day of 23 hours has 23', () => {
    const desk = open('Europe/Berlin', 0, 24);
    expect(slotsOn(desk, '2026-10-25')).toHaveLength(25);
    expect(slotsOn(desk, '2027-03-28')).toHaveLength(23);
  });

  test('that a country skips has none, and the next day has only its own', () => {
    const desk = open('Pacific/Apia', 9, 11);
    expect(timesOn(desk, '2011-12-29')).toBe('09:00 10:00');
    expect(timesOn(desk, '2011-12-30')).toBe('');
    expect(timesOn(desk, '2011-12-31')).toBe('09:00 10:00');
    expect(slotsOn(desk, '2011-12-29', '2011-12-31')).toHaveLength(4);
  });
});
