import { expect, test } from 'vitest';
import { daysToMonday, morningIn } from '../../web/console/inbox/snooze-times.ts';

const SUNDAY_IN_BERLIN = new Date('2027-03-27T23:30:00Z');

test('the morning is nine in the zone, also after the clocks change', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];
  const mornings = zones.map((zone) => morningIn(zone, SUNDAY_IN_BERLIN, 1).toISOString());
  expect(mornings).toEqual([
    '2027-03-28T09:00:00.000Z',
    '2027-03-29T07:00:00.000Z',
    '2027-03-28T13:00:00.000Z',
    '2027-03-29T03:30:00.000Z',
  ]);
});

test('the next Monday is counted from the day in the zone', () => {
  expect(daysToMonday('Europe/Berlin', SUNDAY_IN_BERLIN)).toBe(1);
  expect(daysToMonday('UTC', SUNDAY_IN_BERLIN)).toBe(2);
  expect(daysToMonday('UTC', new Date('2027-03-29T00:00:00Z'))).toBe(7);
});
