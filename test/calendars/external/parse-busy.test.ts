import { describe, expect, test } from 'vitest';
import { parseBusy } from '../../../src/calendars/external/parse-busy.ts';
import { readBusy } from '../../../src/calendars/external/read-busy.ts';

const QUERY = {
  from: Date.UTC(2026, 0, 1),
  until: Date.UTC(2027, 0, 1),
  timezone: 'Europe/Berlin',
  own: ['own@frontdesk'],
};

const event = (...lines: readonly string[]) => [
  'BEGIN:VEVENT',
  ...(lines.some((line) => line.startsWith('UID')) ? [] : ['UID:1']),
  ...lines,
  'END:VEVENT',
];

const calendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const reader = () => ({
  subAccountId: 'a',
  signal: new AbortController().signal,
  timeoutMs: 60_000,
});

const planned = async () => ({ query: QUERY });

const busyTimes = (text: string, query = QUERY) =>
  [...parseBusy([text], query).periods]
    .sort((one, other) => one.from - other.from)
    .map(({ from, until }) =>
      [from, until].map((at) => new Date(at).toISOString().slice(0, 16)).join(' '),
    );

/** The time zone of Berlin as an Exchange server writes it: its own name and rules. */
const WEST_EUROPE = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

describe('busy times', () => {
  test.for<[string, readonly string[], readonly string[]]>([
    [
      'in UTC',
      event('DTSTART:20260302T090000Z', 'DTEND:20260302T100000Z'),
      ['2026-03-02T09:00 2026-03-02T10:00'],
    ],
    [
      'in a zone by its name, without a VTIMEZONE',
      event('DTSTART;TZID=America/New_York:20260702T090000', 'DURATION:PT90M'),
      ['2026-07-02T13:00 2026-07-02T14:30'],
    ],
    [
      'in a zone by its VTIMEZONE',
      [
        ...WEST_EUROPE,
        ...event(
          'DTSTART;TZID=W. Europe Standard Time:20260702T090000',
          'DTEND;TZID=W. Europe Standard Time:20260702T100000',
        ),
      ],
      ['2026-07-02T07:00 2026-07-02T08:00'],
    ],
    [
      "that name no zone, in the member's own",
      event('DTSTART:20260302T090000', 'DTEND:20260302T100000'),
      ['2026-03-02T08:00 2026-03-02T09:00'],
    ],
    [
      "of whole days, from midnight to midnight in the member's zone",
      event('DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260330'),
      ['2026-03-27T23:00 2026-03-29T22:00'],
    ],
    [
      'of one day without DTEND',
      event('DTSTART;VALUE=DATE:20260402'),
      ['2026-04-01T22:00 2026-04-02T22:00'],
    ],
    [
      'keep their hour when the clocks change, except for exceptions',
      [
        ...event(
          'DTSTART;TZID=Europe/Berlin:20260325T090000',
          'DTEND;TZID=Europe/Berlin:20260325T093000',
          'RRULE:FREQ=WEEKLY;COUNT=4',
          'EXDATE;TZID=Europe/Berlin:20260408T090000',
        ),
        ...event(
          'RECURRENCE-ID;TZID=Europe/Berlin:20260415T090000',
          'DTSTART;TZID=Europe/Berlin:20260416T140000',
          'DTEND;TZID=Europe/Berlin:20260416T150000',
        ),
      ],
      [
        '2026-03-25T08:00 2026-03-25T08:30',
        '2026-04-01T07:00 2026-04-01T07:30',
        '2026-04-16T12:00 2026-04-16T13:00',
      ],
    ],
    [
      'of an endless series that began long ago, within the window',
      event('DTSTART:20060102T090000Z', 'DTEND:20060102T100000Z', 'RRULE:FREQ=YEARLY'),
      ['2026-01-02T09:00 2026-01-02T10:00'],
    ],
    [
      'that an exception of a series frees',
      [
        ...event('DTSTART:20260302T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
        ...event(
          'RECURRENCE-ID:20260303T090000Z',
          'DTSTART:20260303T090000Z',
          'DURATION:PT1H',
          'STATUS:CANCELLED',
        ),
      ],
      ['2026-03-02T09:00 2026-03-02T10:00'],
    ],
    [
      'published as VFREEBUSY',
      [
        'BEGIN:VFREEBUSY',
        'FREEBUSY:20260302T090000Z/PT1H,20260302T120000Z/20260302T123000Z',
        'FREEBUSY;FBTYPE=FREE:20260302T150000Z/PT1H',
        'END:VFREEBUSY',
      ],
      ['2026-03-02T09:00 2026-03-02T10:00', '2026-03-02T12:00 2026-03-02T12:30'],
    ],
    ['are none for a free event', event('DTSTART:20260302T090000Z', 'TRANSP:TRANSPARENT'), []],
    ['are none for a cancelled event', event('DTSTART:20260302T090000Z', 'STATUS:cancelled'), []],
    [
      'leave out our own events',
      event('UID:own@frontdesk', 'DTSTART:20260302T090000Z', 'DURATION:PT1H'),
      [],
    ],
    [
      'are none outside the window',
      event('DTSTART:20250302T090000Z', 'DTEND:20250302T100000Z'),
      [],
    ],
    ['are none without a start', event('SUMMARY:x'), []],
  ])('%s', ([, lines, expected]) => {
    expect(busyTimes(calendar(...lines))).toEqual(expected);
  });

  test('are those of the events that can be read, with a reason if there are others', () => {
    const fine = event('DTSTART:20260302T090000Z', 'DURATION:PT1H');
    const broken = [2, 3].flatMap((uid) => event(`UID:${uid}`, `DTSTART:soon ${uid}`));
    const found = parseBusy([calendar(...broken, ...fine)], QUERY);
    expect(found.periods).toHaveLength(1);
    expect(found.unread).toBe('it has 2 events that cannot be read: DTSTART:soon 2');
    expect(parseBusy([calendar(...fine)], QUERY).unread).toBe(undefined);
    // All of them: the last known times are better than none.
    expect(() => parseBusy([calendar(...broken)], QUERY)).toThrow('it has 2 events that');
  });

  test('of several calendars in one file are all of them', () => {
    const one = calendar(...event('DTSTART:20260302T090000Z', 'DURATION:PT1H'));
    expect(busyTimes(one + one)).toHaveLength(2);
  });

  test('of exceptions belong only to the event that they name', () => {
    const series = (uid: string) =>
      event(`UID:${uid}`, 'DTSTART:20260302T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2');
    const exception = event(
      'UID:a',
      'RECURRENCE-ID:20260303T090000Z',
      'DTSTART:20260303T200000Z',
      'DURATION:PT1H',
    );
    expect(busyTimes(calendar(...series('a'), ...series('b'), ...exception))).toEqual([
      '2026-03-02T09:00 2026-03-02T10:00',
      '2026-03-02T09:00 2026-03-02T10:00',
      '2026-03-03T09:00 2026-03-03T10:00',
      '2026-03-03T20:00 2026-03-03T21:00',
    ]);
  });
});

describe('a calendar that is expensive to parse', () => {
  test('is given up if its rule never matches', async () => {
    const never = event(
      'DTSTART:20260101T000000Z',
      'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=400',
    );
    const outcome = await readBusy([calendar(...never)], planned, reader()).then(
      ({ busy }) => busy?.periods,
      ({ message }: Error) => message,
    );
    expect(outcome).toEqual(
      expect.toSatisfy((one) => one.length === 0 || /too long|cannot be read/.test(one)),
    );
  });

  test('is refused if it has too many busy times', () => {
    const every = event('DTSTART:20260101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=MINUTELY');
    expect(() => parseBusy([calendar(...every)], QUERY)).toThrow('more than 20000 busy times');
  });

  test('is refused if its objects together have too many busy times', () => {
    const every = event('DTSTART:20260101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=HOURLY');
    const texts = [1, 2, 3].map(() => calendar(...every));
    expect(parseBusy(texts.slice(0, 2), QUERY).periods).toHaveLength(2 * 365 * 24);
    expect(() => parseBusy(texts, QUERY)).toThrow('more than 20000 busy times');
  });

  test('is refused if the text is not a calendar', async () => {
    await expect(readBusy(['<html>Sign in</html>'], planned, reader())).rejects.toThrow(
      'cannot be read',
    );
  });
});
