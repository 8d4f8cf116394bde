import { describe, expect, test } from 'vitest';
import { FORMATS } from '#core/schema/formats.ts';
import { parseBusy } from '../../../src/calendars/external/parse-busy.ts';
import { WINDOWS_ZONES } from '../../../src/calendars/external/windows-zones.ts';

const QUERY = {
  from: Date.UTC(2026, 0, 1),
  until: Date.UTC(2027, 0, 1),
  timezone: 'Europe/Berlin',
  own: [],
};
const START = 'DTSTART:20260302T090000Z';
const HOUR = 'DURATION:PT1H';

const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];

const read = (...lines: readonly string[]) => {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
  const { periods, unread } = parseBusy([text], QUERY);
  const stamps = periods
    .toSorted((one, other) => one.from - other.from)
    .map(({ from, until }) =>
      [from, until].map((at) => new Date(at).toISOString().slice(5, 16)).join(' '),
    );
  return { periods: stamps, unread };
};

const times = (...lines: readonly string[]) => {
  const { periods, unread } = read(...lines);
  expect(unread).toBe(undefined);
  return periods;
};

const FIRST = '03-02T09:00 03-02T10:00';
const SECOND = '03-03T09:00 03-03T10:00';
const THIRD = '03-04T09:00 03-04T10:00';

describe('a series of single dates', () => {
  test.for<[string, readonly string[], readonly string[]]>([
    ['has its start, too', ['RDATE:20260304T090000Z'], [FIRST, THIRD]],
    ['has its start once', ['RDATE:20260302T090000Z,20260304T090000Z'], [FIRST, THIRD]],
    [
      'has no start that is excluded',
      ['RDATE:20260304T090000Z', 'EXDATE:20260302T090000Z'],
      [THIRD],
    ],
    [
      'may have periods of other lengths',
      ['RDATE;VALUE=PERIOD:20260303T090000Z/PT2H,20260304T090000Z/20260304T093000Z'],
      [FIRST, '03-03T09:00 03-03T11:00', '03-04T09:00 03-04T09:30'],
    ],
    [
      'may add dates to a rule',
      ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260304T090000Z'],
      [FIRST, SECOND, THIRD],
    ],
    [
      'may leave out the times of another rule',
      ['RRULE:FREQ=DAILY;COUNT=4', 'EXRULE:FREQ=DAILY;INTERVAL=3'],
      [SECOND, THIRD],
    ],
  ])('%s', ([, lines, expected]) => {
    expect(times(...event(START, HOUR, ...lines))).toEqual(expected);
  });
});

describe('an event is read', () => {
  const daily = 'RRULE:FREQ=DAILY;COUNT=2';
  test.for<[string, readonly string[], readonly string[]]>([
    ['with a rule in lower case', [START, HOUR, 'rrule:freq=daily;count=2'], [FIRST, SECOND]],
    [
      'with an UNTIL that is a day',
      [START, HOUR, 'RRULE:FREQ=DAILY;UNTIL=20260303'],
      [FIRST, SECOND],
    ],
    [
      'with a day that has no VALUE',
      ['DTSTART:20260302', 'DTEND:20260303'],
      ['03-01T23:00 03-02T23:00'],
    ],
    ['with an empty EXDATE', [START, HOUR, daily, 'EXDATE:'], [FIRST, SECOND]],
    ['with an EXDATE that is no date', [START, HOUR, daily, 'EXDATE:x'], [FIRST, SECOND]],
    [
      'with a description of several lines',
      [START, HOUR, 'DESCRIPTION:a', 'b', 'status cancelled', 'c: d', '"'],
      [FIRST],
    ],
    ['with a broken attendee', [START, HOUR, 'ATTENDEE;CN="a:mailto:b@c.example'], [FIRST]],
    [
      'with an alarm of another length',
      [START, 'BEGIN:VALARM', 'DURATION:PT5H', 'END:VALARM', HOUR],
      [FIRST],
    ],
    ['with folded lines', ['DTSTART:202603', ' 02T0900', '\t00Z', HOUR], [FIRST]],
    ['with the separators of ISO 8601', ['DTSTART:2026-03-02T09:00:00Z', HOUR], [FIRST]],
  ])('%s', ([, lines, expected]) => {
    expect(times(...event(...lines))).toEqual(expected);
  });

  test('with a rule without the value of its end, which is endless', () => {
    expect(times(...event(START, HOUR, 'RRULE:FREQ=DAILY;UNTIL='))).toHaveLength(305);
  });

  test('with its last time by a UNTIL in UTC, east of Greenwich without a VTIMEZONE', () => {
    const tokyo = 'DTSTART;TZID=Asia/Tokyo:20260302T180000';
    expect(times(...event(tokyo, HOUR, 'RRULE:FREQ=DAILY;UNTIL=20260303T090000Z'))).toEqual([
      FIRST,
      SECOND,
    ]);
  });

  test('at its start if its rule cannot be read', () => {
    for (const rule of [
      'FREQ=SOMETIMES',
      'FREQ=DAILY;UNTIL=soon',
      'COUNT=3',
      'FREQ=YEARLY;BYWEEKNO=9',
    ]) {
      expect(read(...event(START, HOUR, `RRULE:${rule}`))).toEqual({
        periods: [FIRST],
        unread: expect.stringContaining('it has 1 event that cannot be read: '),
      });
    }
  });
});

describe('an exception of a series', () => {
  const series = event(START, HOUR, 'RRULE:FREQ=DAILY;COUNT=3');

  test.for<[string, readonly string[]]>([
    ['start', ['DTSTART:soon']],
    ['end', ['DTSTART:20260303T120000Z', 'DTEND:late']],
  ])('whose %s cannot be read changes nothing', ([, lines]) => {
    expect(read(...series, ...event('RECURRENCE-ID:20260303T090000Z', ...lines))).toEqual({
      periods: [FIRST, SECOND, THIRD],
      unread: `it has 1 event that cannot be read: ${lines.at(-1)}`,
    });
  });

  test('that does not say which one is busy at its own time', () => {
    const exception = event('RECURRENCE-ID:x', 'DTSTART:20260303T120000Z', HOUR);
    expect(times(...series, ...exception)).toHaveLength(4);
  });

  test('may change all later ones, in any zone', () => {
    const exception = event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Asia/Tokyo:20260303T180000',
      'DTSTART;TZID=America/New_York:20260303T070000',
      'DURATION:PT2H',
    );
    expect(times(...series, ...exception)).toEqual([
      FIRST,
      '03-03T12:00 03-03T14:00',
      '03-04T12:00 03-04T14:00',
    ]);
  });
});

describe('a zone', () => {
  test.for([
    ['of Windows', 'Eastern Standard Time'],
    ['in quotation marks', '"America/New_York"'],
    ['of Mozilla', '/mozilla.org/20050126_1/America/New_York'],
    ['of Evolution', '/freeassociation.sourceforge.net/America/New_York'],
  ])('%s is understood without a VTIMEZONE', ([, zone]) => {
    expect(times(...event(`DTSTART;TZID=${zone}:20260302T040000`, HOUR))).toEqual([FIRST]);
  });

  test('of Windows is one of IANA', () => {
    const zones = Object.values(WINDOWS_ZONES);
    expect(zones.filter((zone) => !FORMATS['time-zone']?.test(zone))).toEqual([]);
    expect(zones.length).toBeGreaterThan(100);
  });

  test('that is unknown is the one of the member', () => {
    expect(times(...event('DTSTART;TZID=Mine:20260302T100000', HOUR))).toEqual([FIRST]);
  });
});
