import { expect, test } from 'vitest';
import { slotLabel } from '../../../src/calendars/slots/slot-label.ts';
import { instant } from './desk.ts';

test.each([
  ['2026-11-02T08:00Z', 'Europe/Berlin', 'en-GB', 'Mon, 2 Nov 2026, 09:00'],
  ['2026-11-02T08:00Z', 'Europe/Berlin', 'de-DE', 'Mo., 2. Nov. 2026, 09:00'],
  ['2026-11-02T19:30Z', 'America/New_York', 'en-US', 'Mon, Nov 2, 2026, 2:30 PM'],
  ['2026-11-01T23:00Z', 'Pacific/Kiritimati', 'en-GB', 'Mon, 2 Nov 2026, 13:00'],
  ['2026-11-01T23:00Z', 'UTC', 'en-GB', 'Sun, 1 Nov 2026, 23:00'],
  ['2026-11-02T23:00Z', 'Europe/Berlin', 'en-GB', 'Tue, 3 Nov 2026, 00:00'],
])('%s in %s reads in %s: %s', (time, timezone, locale, label) => {
  expect(slotLabel(instant(time), timezone, locale)).toBe(label);
});

test('a label in a repeated hour names the offset', () => {
  const labels = ['23:59', '00:00', '01:30', '02:00'].map((time, n) =>
    slotLabel(instant(`2026-10-2${n === 0 ? 4 : 5}T${time}Z`), 'Europe/Berlin', 'en-GB'),
  );
  expect(labels).toEqual([
    'Sun, 25 Oct 2026, 01:59',
    'Sun, 25 Oct 2026, 02:00 CEST',
    'Sun, 25 Oct 2026, 02:30 CET',
    'Sun, 25 Oct 2026, 03:00',
  ]);
  const lordHowe = ['14:30', '15:00', '15:30'].map((time) =>
    slotLabel(instant(`2027-04-03T${time}Z`), 'Australia/Lord_Howe', 'en-GB'),
  );
  expect(lordHowe).toEqual([
    'Sun, 4 Apr 2027, 01:30 GMT+11',
    'Sun, 4 Apr 2027, 01:30 GMT+10:30',
    'Sun, 4 Apr 2027, 02:00',
  ]);
});

test('a label names its zone where the reader may expect another one', () => {
  expect(slotLabel(instant('2026-12-01T09:00Z'), 'America/New_York', 'en-GB', true)).toBe(
    'Tue, 1 Dec 2026, 04:00 GMT-5',
  );
});

test('an unknown locale is formatted in English', () => {
  expect(slotLabel(instant('2026-11-02T08:00Z'), 'Europe/Berlin', 'de-x')).toContain('Nov 2026');
  expect(slotLabel(instant('2026-11-02T08:00Z'), 'Europe/Berlin', 'qqq')).toContain('2 Nov 2026');
});
