import { expect, test } from 'vitest';
import { timeLabels } from '../../web/console/ui/time-labels.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const START = new Date(2026, 10, 23, 14, 5).getTime();
const format = { locale: 'en-GB', short: (at: number) => `day ${new Date(at).getDate()}` };

const labels = (stepMs: number, periodMs: number): string[] => {
  const times = Array.from({ length: 4 }, (_, index) => START + index * stepMs);
  return timeLabels(times, periodMs, format);
};

test('the ticks of a few seconds have seconds', () => {
  expect(labels(SECOND_MS, 4 * SECOND_MS)).toEqual([
    '14:05:00',
    '14:05:01',
    '14:05:02',
    '14:05:03',
  ]);
});

test('the same second is shown once', () => {
  expect(labels(SECOND_MS / 2, 2 * SECOND_MS)).toEqual(['14:05:00', '', '14:05:01', '']);
});

test('the ticks of hours have no seconds', () => {
  expect(labels(HOUR_MS, 4 * HOUR_MS)).toEqual(['14:05', '15:05', '16:05', '17:05']);
});

test('the ticks of days name each day once', () => {
  expect(labels(12 * HOUR_MS, 72 * HOUR_MS)).toEqual(['day 23', 'day 24', '', 'day 25']);
});

test('are those of a time zone, if one is given', () => {
  const at = Date.parse('2026-11-26T06:14:00Z');
  const labels = timeLabels([at], 3_600_000, {
    locale: 'en-GB',
    short: () => '',
    timeZone: 'Europe/Berlin',
  });
  expect(labels).toEqual(['07:14']);
});
