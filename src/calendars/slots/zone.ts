import { Temporal } from 'temporal-polyfill';
import { MINUTE_MS, DAY_MS } from '#lib/duration.ts';
import { dateOf } from './local-days.ts';

/**
 * A time zone over three years as a few numbers. Temporal takes 10 µs for one time of day; what it
 * knows of the zone's changes is asked for once, and the rest is sums.
 */
export interface Zone {
  /** From when on each offset holds; the first holds from ever. */
  readonly since: readonly number[];
  readonly offsets: readonly number[];
}

const zones = new Map<string, Zone>();
const ZONES_MAX = 1_000;

/** The zone as it is in the year of that instant and the years next to it. */
export function zoneAround(timezone: string, instant: number): Zone {
  const year = new Date(instant).getUTCFullYear();
  const key = `${timezone} ${year}`;
  const known = zones.get(key);
  if (known) {
    return known;
  }
  if (zones.size >= ZONES_MAX) {
    zones.clear();
  }
  const zone = readZone(timezone, startOfYear(year - 1), startOfYear(year + 2));
  zones.set(key, zone);
  return zone;
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
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

/** The local date of an instant, as a day number. */
export const dayAt = (zone: Zone, instant: number): number =>
  Math.floor((instant + offsetAt(zone, instant)) / DAY_MS);

export function offsetAt({ since, offsets }: Zone, instant: number): number {
  const at = since.findLastIndex((from) => from <= instant);
  return offsets[at] ?? 0;
}

/**
 * The instant of a time of day, as Temporal's `compatible` has it: the earlier one of an hour that
 * comes twice, and of one that is left out the instant as late after the change as it would have been.
 */
export function instantAt({ since, offsets }: Zone, day: number, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS;
  const at = offsets.findIndex((offset, at) => {
    const change = since[at + 1] ?? Infinity;
    const isBefore = local - offset < change;
    const isLeftOut = local - (offsets[at + 1] ?? offset) < change;
    return isBefore || isLeftOut;
  });
  return local - (offsets[at] ?? 0);
}

/** The date, `YYYY-MM-DD`, that an instant has in a time zone. */
export const localDate = (timezone: string, instant: number): string =>
  dateOf(dayAt(zoneAround(timezone, instant), instant));
