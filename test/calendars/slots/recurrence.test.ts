import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { occurrencesOf, OCCURRENCES_MAX } from '../../../src/calendars/slots/recurrence.ts';
import { instant } from './desk.ts';

const times = (repeat: string, start: string, timezone = 'Europe/Berlin') =>
  occurrencesOf(repeat, instant(start), timezone).map((time) =>
    new Date(time).toISOString().slice(0, 16),
  );

describe('a series', () => {
  test('keeps its time of day when the clocks change', () => {
    expect(times('FREQ=WEEKLY;COUNT=3', '2026-10-19T07:00Z')).toEqual([
      '2026-10-19T07:00',
      '2026-10-26T08:00',
      '2026-11-02T08:00',
    ]);
  });

  test('keeps the day whose hour the clocks skip, and returns to its time after it', () => {
    expect(times('FREQ=DAILY;COUNT=3', '2027-03-27T01:30Z')).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:30',
      '2027-03-29T00:30',
    ]);
  });

  test('takes the earlier of a repeated hour, unless it begins in the later', () => {
    expect(times('FREQ=DAILY;COUNT=2', '2026-10-24T00:30Z')[1]).toBe('2026-10-25T00:30');
    expect(times('FREQ=DAILY;COUNT=2', '2026-10-25T01:30Z')).toEqual([
      '2026-10-25T01:30',
      '2026-10-26T01:30',
    ]);
  });

  test.each([
    ['FREQ=DAILY;INTERVAL=2;COUNT=3', ['02', '04', '06']],
    ['rrule:freq=daily;count=2', ['02', '03']],
    ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4', ['02', '04', '09', '11']],
    ['FREQ=WEEKLY;UNTIL=20261116', ['02', '09', '16']],
    ['FREQ=WEEKLY;UNTIL=20261116T090000', ['02', '09', '16']],
    ['FREQ=WEEKLY;UNTIL=20261116T085959', ['02', '09']],
    ['FREQ=WEEKLY;UNTIL=20261116T080000Z', ['02', '09', '16']],
    ['FREQ=WEEKLY;UNTIL=20261116T075959Z', ['02', '09']],
    ['FREQ=WEEKLY;UNTIL=20261116;COUNT=2', ['02', '09']],
    ['FREQ=MONTHLY;BYDAY=1MO;BYMONTH=11;COUNT=2', ['02', '01']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3', ['02', '01', '01']],
  ])('%s from Monday 2 November at nine falls on %s', (repeat, days) => {
    expect(times(repeat, '2026-11-02T08:00Z').map((time) => time.slice(8, 10))).toEqual(days);
  });

  test('leaves out months without its day', () => {
    expect(
      times('FREQ=MONTHLY;COUNT=3', '2027-01-31T08:00Z').map((time) => time.slice(0, 10)),
    ).toEqual(['2027-01-31', '2027-03-31', '2027-05-31']);
  });

  test('without an end is cut after two years of days', () => {
    expect(times('FREQ=DAILY', '2026-11-02T08:00Z')).toHaveLength(OCCURRENCES_MAX);
    expect(times('FREQ=DAILY;COUNT=9999', '2026-11-02T08:00Z')).toHaveLength(OCCURRENCES_MAX);
    expect(times('FREQ=YEARLY', '2028-02-29T08:00Z').length).toBeGreaterThan(20);
  });

  test("does not depend on the process's time zone", () => {
    const file = new URL('../../../src/calendars/slots/recurrence.ts', import.meta.url);
    const code = `import(${JSON.stringify(file.href)}).then(({ occurrencesOf }) =>
      console.log(occurrencesOf('FREQ=WEEKLY;BYDAY=MO,TU;COUNT=4', 1792393200000, 'America/New_York').join()))`;
    const outputs = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'].map((TZ) =>
      execFileSync(process.execPath, ['-e', code], { env: { ...process.env, TZ } }).toString(),
    );
    expect(new Set(outputs).size).toBe(1);
    expect(outputs[0]).toMatch(/^1792393200000,/);
  });
});

test.each([
  ['', 'has "", which is not supported'],
  ['COUNT=3', 'has no FREQ'],
  ['FREQ=HOURLY', 'has "FREQ=HOURLY", which is not supported'],
  ['FREQ=SECONDLY;COUNT=3', 'has "FREQ=SECONDLY"'],
  ['FREQ=DAILY;BYHOUR=9,10', 'has "BYHOUR=9,10"'],
  ['FREQ=DAILY;INTERVAL=0', 'has "INTERVAL=0"'],
  ['FREQ=DAILY;COUNT=0', 'has "COUNT=0"'],
  ['FREQ=DAILY;COUNT=2;COUNT=3', 'has "COUNT=3"'],
  ['FREQ=DAILY;__proto__=1', 'has "__PROTO__=1"'],
  ['FREQ=DAILY;constructor=1', 'has "CONSTRUCTOR=1"'],
  ['FREQ=DAILY;UNTIL=20269999', 'which is not a time'],
  ['FREQ=DAILY\nDTSTART:20200101T000000Z', 'is not supported'],
  ['DTSTART;TZID=Asia/Tokyo:20261102T090000', 'is not supported'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'counts weekdays'],
  ['FREQ=WEEKLY;BYDAY=TU', 'has no occurrence at the first start'],
  ['FREQ=WEEKLY;UNTIL=20200101', 'has no occurrence at the first start'],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'has no occurrence at the first start'],
  [`FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(200)}1`, 'at most 300 are allowed'],
])('%j is refused: %s', (repeat, why) => {
  expect(() => times(repeat, '2026-11-02T08:00Z')).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(why) as string,
    }) as Error,
  );
});
