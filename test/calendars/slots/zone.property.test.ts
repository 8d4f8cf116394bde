import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  dayOf,
  instantAt,
  localDate,
  offsetAt,
  zoneAround,
} from '../../../src/calendars/slots/zone.ts';

/** More runs: `ZONE_RUNS=1000000 npx vitest run test/calendars/slots/zone.property.test.ts`. */
const RUNS = Number(process.env['ZONE_RUNS'] ?? 1_500);
const DAY_MS = 86_400_000;
const ZONES = [
  ...Intl.supportedValuesOf('timeZone'),
  'UTC',
  'Europe/Kyiv',
  'US/Eastern',
  'EST5EDT',
];

const zone = fc.constantFrom(...ZONES);
const day = fc.integer({ min: dayOf('1975-01-01'), max: dayOf('2049-12-31') });

/** A day at most two days from the zone's next clock change, if there is one. */
const eventfulDay = fc
  .tuple(zone, day, fc.integer({ min: -2, max: 2 }))
  .map(([name, from, near]) => {
    const start = Temporal.Instant.fromEpochMilliseconds(from * DAY_MS).toZonedDateTimeISO(name);
    const change = start.getTimeZoneTransition('next');
    const at = change ? Math.floor(change.epochMilliseconds / DAY_MS) + near : from;
    return [name, Math.min(at, dayOf('2049-12-31'))] as const;
  });

const moment = fc.oneof(fc.tuple(zone, day), eventfulDay);

test('a local time is the instant that Temporal calls compatible', () => {
  const isSame = fc.property(moment, fc.integer({ min: 0, max: 1_440 }), ([name, at], minutes) => {
    const local = Temporal.PlainDate.from('1970-01-01')
      .add({ days: at })
      .toPlainDateTime()
      .add({ minutes });
    const expected = local.toZonedDateTime(name, { disambiguation: 'compatible' });
    const found = instantAt(zoneAround(name, at * DAY_MS), at, minutes);
    expect(found).toBe(expected.epochMilliseconds);
  });
  fc.assert(isSame, { numRuns: RUNS });
}, 3_600_000);

test('an instant has the same local date and offset as in Temporal', () => {
  const isSame = fc.property(moment, fc.integer({ min: 0, max: DAY_MS }), ([name, at], ms) => {
    const instant = at * DAY_MS + ms;
    const expected = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
    expect(localDate(name, instant)).toBe(expected.toPlainDate().toString());
    expect(offsetAt(zoneAround(name, instant), instant)).toBe(expected.offsetNanoseconds / 1e6);
  });
  fc.assert(isSame, { numRuns: RUNS });
}, 3_600_000);

test('the first and last years of a date work', () => {
  for (const date of ['0000-01-01', '0099-06-01', '9999-12-31']) {
    const at = dayOf(date);
    const instant = instantAt(zoneAround('Europe/Berlin', at * DAY_MS), at, 720);
    expect(localDate('Europe/Berlin', instant)).toBe(date);
  }
});
