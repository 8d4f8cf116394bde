import { Temporal } from 'temporal-polyfill';
import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import { boundedCache } from '#lib/bounded-cache.ts';
import { WEEKDAYS, type Weekday } from '../schedule.ts';

/** Returns a date as the number of days since 1970-01-01: counting days is faster than parsing dates. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): Weekday => WEEKDAYS[(((day + 3) % 7) + 7) % 7] as Weekday;

/**
 * A time zone's offsets over three years. Temporal takes 10 µs per conversion. It computes the zone's
 * transitions once, and conversions are integer sums.
 */
export interface Zone {
  /** The instant from which each offset applies; the first is -Infinity. */
  readonly since: readonly number[];
  readonly offsets: readonly number[];
}

const zones = boundedCache<Zone>(1_000);

/** Returns the zone's offsets in the year of an instant and in the years next to it. */
export function zoneAround(timezone: string, instant: number): Zone {
  const year = new Date(instant).getUTCFullYear();
  return zones(`${timezone} ${year}`, () =>
    readZone(timezone, startOfYear(year - 1), startOfYear(year + 2)),
  );
}

/** Not `Date.UTC`, which maps the years 0 to 99 to the 20th century. */
const startOfYear = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

function readZone(timezone: string, from: number, until: number): Zone {
  let time: Temporal.ZonedDateTime | null =
    Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
  const since = [-Infinity];
  const offsets = [offsetMs(time)];
  while ((time = time.getTimeZoneTransition('next')) && time.epochMilliseconds < until) {
    since.push(time.epochMilliseconds);
    offsets.push(offsetMs(time));
  }
  return { since, offsets };
}

const offsetMs = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number =>
  offsetNanoseconds / 1_000_000;

/** Returns the local date of an instant, as a day number. */
export const dayAt = (zone: Zone, instant: number): number =>
  Math.floor((instant + offsetAt(zone, instant)) / DAY_MS);

export function offsetAt({ since, offsets }: Zone, instant: number): number {
  const at = since.findLastIndex((from) => from <= instant);
  return offsets[at] ?? 0;
}

/**
 * Returns the instant of a local time, like Temporal's `compatible`: the earlier one of an hour that
 * the clocks repeat; for an hour that they skip, the time shifted by the length of the gap.
 */
export function instantAt({ since, offsets }: Zone, day: number, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS;
  const at = offsets.findIndex((offset, at) => {
    const change = since[at + 1] ?? Infinity;
    const isBefore = local - offset < change;
    const isSkipped = local - (offsets[at + 1] ?? offset) < change;
    return isBefore || isSkipped;
  });
  return local - (offsets[at] ?? 0);
}

/** Returns the date, `YYYY-MM-DD`, of an instant in a time zone. */
export const localDate = (timezone: string, instant: number): string =>
  dateOf(dayAt(zoneAround(timezone, instant), instant));

/** Returns `2026-11-02 09:00` in a zone, for operators. */
export const wallClock = (timezone: string, instant: number): string =>
  new Date(instant + offsetAt(zoneAround(timezone, instant), instant))
    .toISOString()
    .slice(0, 16)
    .replace('T', ' ');

export const timeOfDay = (timezone: string, instant: number): string =>
  wallClock(timezone, instant).slice(-5);
