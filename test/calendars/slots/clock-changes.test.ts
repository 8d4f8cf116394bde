import { expect, test } from 'vitest';
import { previewClockChanges } from '../../../src/calendars/slots/clock-changes.ts';
import { deskOf, everyDay, hour, instant } from './desk.ts';

const NOW = instant('2026-07-01T00:00Z');

const rehearsed = (given: Parameters<typeof deskOf>[0], now = NOW) => {
  const { schedule, type } = deskOf(given);
  return previewClockChanges(schedule, type, now).map(({ at, jump, dates }) => ({
    at: new Date(at).toISOString(),
    jump,
    dates: dates.map(({ date, slots }) => `${date} ${slots.length}`),
  }));
};

test('shows the next two clock changes with the slots of the dates around them', () => {
  expect(rehearsed({ hours: everyDay([0, hour(6)]) })).toEqual([
    {
      at: '2026-10-25T01:00:00.000Z',
      jump: -60,
      dates: ['2026-10-24 6', '2026-10-25 7', '2026-10-26 6'],
    },
    {
      at: '2027-03-28T01:00:00.000Z',
      jump: 60,
      dates: ['2027-03-27 6', '2027-03-28 5', '2027-03-29 6'],
    },
  ]);
});

test('ignores notice, advance and the limit per day', () => {
  const strict = { minimumNotice: 10_000, maximumAdvance: 0, maxPerDay: 0 };
  const [first] = rehearsed({ hours: everyDay([0, hour(6)]), ...strict });
  expect(first?.dates).toEqual(['2026-10-24 6', '2026-10-25 7', '2026-10-26 6']);
});

test('a change at midnight belongs to the date that ends', () => {
  const [first] = rehearsed({ timezone: 'Africa/Cairo', hours: everyDay([hour(20), 1_440]) });
  expect(first?.dates).toEqual(['2026-10-28 4', '2026-10-29 5', '2026-10-30 4']);
});

test('a zone without clock changes has nothing to show', () => {
  expect(rehearsed({ timezone: 'Asia/Kathmandu' })).toEqual([]);
});
