import type ICAL from 'ical.js';
import { FORMATS } from '#core/schema/formats.ts';
import { DAY_MS } from '#lib/duration.ts';
import { instantAt, zoneAround } from '../slots/zone.ts';

/** The zone that a time of an event names; undefined where it is none that we know by its name. */
export function zoneNameOf(property: ICAL.Property | null): string | undefined {
  const name = property?.getParameter('tzid');
  return typeof name === 'string' && FORMATS['time-zone']?.test(name) ? name : undefined;
}

/**
 * The instant of a time of a calendar: by the zone that it names where that is a known one, else by
 * the rules that the calendar brings along for it, else as a time of day of `timezone`.
 */
export function instantOf(time: ICAL.Time, named: string | undefined, timezone: string): number {
  const { year, month, day, hour, minute, second, zone } = time;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  if (!time.isDate && zone?.tzid === 'UTC') {
    return local;
  }
  const isFloating = time.isDate || zone === null || zone?.tzid === 'floating';
  if (!isFloating && named === undefined) {
    return time.toUnixTime() * 1_000;
  }
  const days = Math.floor(local / DAY_MS);
  const within = local - days * DAY_MS;
  const place = (time.isDate ? undefined : named) ?? timezone;
  return instantAt(zoneAround(place, local), days, within / 60_000);
}
