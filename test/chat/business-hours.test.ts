import { describe, expect, test } from 'vitest';
import { hoursIssues, isWithin } from '../../src/chat/business-hours.ts';

const BERLIN = 'Europe/Berlin';
const NINE_TO_FIVE = { mon: ['09:00-12:00', '13:00-17:00'], fri: ['09:00-24:00'] };

describe('the chat is online', () => {
  test.for([
    ['in the first minute', '2026-11-23T08:00:00Z', true],
    ['not one second earlier', '2026-11-23T07:59:59.999Z', false],
    ['in the last second of a window', '2026-11-23T10:59:59.999Z', true],
    ['not at its end', '2026-11-23T11:00:00Z', false],
    ['not between two windows', '2026-11-23T11:30:00Z', false],
    ['in the second window', '2026-11-23T12:00:00Z', true],
    ['not on a day without hours', '2026-11-24T09:00:00Z', false],
    ['until midnight', '2026-11-27T22:59:59Z', true],
    ['and not after midnight', '2026-11-27T23:00:00Z', false],
    ['in summer time', '2026-06-01T07:00:00Z', true],
    ['not at the same hour in winter', '2026-11-23T07:00:00Z', false],
  ] as const)('%s', ([, now, is]) => {
    expect(isWithin(NINE_TO_FIVE, BERLIN, new Date(now))).toBe(is);
  });

  test.for([
    ['in a repeated hour, the first time', { sun: ['02:00-03:00'] }, '2026-10-25T00:30:00Z'],
    ['in a repeated hour, the second time', { sun: ['02:00-03:00'] }, '2026-10-25T01:30:00Z'],
    ['across a skipped hour', { sun: ['01:00-04:00'] }, '2026-03-29T01:00:00Z'],
    [
      'on a day that has begun only in the time zone',
      { mon: ['00:00-01:00'] },
      '2026-11-22T23:30:00Z',
    ],
  ] as const)('in %s', ([, hours, now]) => {
    expect(isWithin(hours, BERLIN, new Date(now))).toBe(true);
  });

  test('never in a skipped hour', () => {
    const hours = { sun: ['02:00-03:00'] };
    for (let minute = 0; minute < 180; minute += 1) {
      const now = new Date(Date.UTC(2026, 2, 29, 0, minute));
      expect(isWithin(hours, BERLIN, now)).toBe(false);
    }
  });

  test('in zones with an offset of half an hour, or of a day', () => {
    const noon = new Date('2026-11-23T06:30:00Z');
    expect(isWithin({ mon: ['12:00-12:01'] }, 'Asia/Kolkata', noon)).toBe(true);
    expect(
      isWithin({ tue: ['00:00-00:31'] }, 'Pacific/Kiritimati', new Date('2026-11-23T10:30:00Z')),
    ).toBe(true);
  });

  test('never without any hours', () => {
    expect(isWithin({}, BERLIN, new Date('2026-11-23T09:00:00Z'))).toBe(false);
    expect(isWithin({ mon: [] }, BERLIN, new Date('2026-11-23T09:00:00Z'))).toBe(false);
  });
});

test('windows that end before they start are issues', () => {
  const hours = { mon: ['09:00-12:00', '13:00-12:59'], sun: ['10:00-10:00', '00:00-24:00'] };
  expect(hoursIssues(hours).map(({ path }) => path)).toEqual(['/mon/1', '/sun/0']);
});
