import { describe, expect, test } from 'vitest';
import { cronOf, scheduleOf } from '../../web/console/campaigns/recurring/schedule.ts';

describe('the schedule of a recurring campaign', () => {
  test.each([
    ['0 9 1 * *', { every: 'month', day: 1, hour: 9, minute: 0 }],
    ['30 18 L * *', { every: 'month', day: 'L', hour: 18, minute: 30 }],
    ['5 0 * * *', { every: 'day', hour: 0, minute: 5 }],
    ['0 9 * * MON,THU', { every: 'week', days: ['MON', 'THU'], hour: 9, minute: 0 }],
  ])('is read from %s and written back', (cron, schedule) => {
    expect(scheduleOf(cron)).toEqual(schedule);
    expect(cronOf(scheduleOf(cron)!)).toBe(cron);
  });

  test.each([
    ['0 9 * * 1-5', ['MON', 'TUE', 'WED', 'THU', 'FRI']],
    ['0 9 * * 5-7', ['FRI', 'SAT', 'SUN']],
    ['0 9 * * 0,3', ['WED', 'SUN']],
    ['0 9 * * sun,mon', ['MON', 'SUN']],
  ])('reads the weekdays of %s', (cron, days) => {
    expect(scheduleOf(cron)).toMatchObject({ every: 'week', days });
  });

  test.each([
    '*/5 9 1 * *',
    '0 9,17 * * *',
    '0 9 1,15 * *',
    '0 9 1 * MON',
    '0 9 1 3 *',
    '0 9 * * MON#1',
    '0 9 * * FRI-MON',
    '0 24 * * *',
    '0 9 32 * *',
    '0 9 0 * *',
    '0 0 9 1 * *',
    '@daily',
    '',
  ])('leaves %j as it is', (cron) => {
    expect(scheduleOf(cron)).toBeUndefined();
  });
});
