import { expect, test } from 'vitest';
import { describeHours } from '../../web/chat/describe-hours.ts';

const DAY = ['09:00-17:00'];

test('consecutive days with the same hours share a line; days without hours have none', () => {
  const hours = { mon: DAY, tue: DAY, wed: ['09:00-12:00', '13:00-17:00'], fri: DAY, sun: [] };
  expect(describeHours(hours, 'en-GB')).toEqual([
    { days: 'Mon – Tue', windows: ['09:00 – 17:00'] },
    { days: 'Wed', windows: ['09:00 – 12:00', '13:00 – 17:00'] },
    { days: 'Fri', windows: ['09:00 – 17:00'] },
  ]);
});

test('a whole week is one line', () => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  expect(describeHours(Object.fromEntries(days.map((day) => [day, DAY])), 'en')).toEqual([
    { days: 'Mon – Sun', windows: ['09:00 – 17:00'] },
  ]);
});

test.each([null, {}, { mon: [] }])('no hours in %j', (hours) => {
  expect(describeHours(hours, 'en')).toEqual([]);
});
