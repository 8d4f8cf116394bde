import ICAL from 'ical.js';
import { FORMATS } from '#core/schema/formats.ts';
import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import { instantAt, offsetAt, zoneAround } from '../slots/zone.ts';
import type { Lines, Property } from './read-components.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

/** Epoch milliseconds, the end excluded. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

/** Converts between instants and wall times, in epoch milliseconds as if the wall time were in UTC. */
export interface Clock {
  instantOf(wall: number): number;
  wallOf(instant: number): number;
}

/** A time of an event, or a day, which begins at midnight. */
export interface Moment {
  readonly wall: number;
  readonly isDate: boolean;
  /** Undefined for a time without a zone. */
  readonly clock: Clock | undefined;
}

/** Returns the clock of a zone that an event names, or undefined if it is unknown. */
export type Clocks = (name: string) => Clock | undefined;

const UTC: Clock = { instantOf: (wall) => wall, wallOf: (instant) => instant };

/** Returns the clock of a zone with a known name. */
export const clockIn = (timezone: string): Clock => ({
  instantOf(wall) {
    const days = Math.floor(wall / DAY_MS);
    return instantAt(zoneAround(timezone, wall), days, (wall - days * DAY_MS) / MINUTE_MS);
  },
  wallOf: (instant) => instant + offsetAt(zoneAround(timezone, instant), instant),
});

/** Clocks by the text of their VTIMEZONE: each event of a CalDAV calendar has its own copy of it. */
export type KnownRules = Map<string, Clock | undefined>;

/** Zones of a calendar: by their known names, else by its VTIMEZONE, else by names that programs use. */
export function openClocks(zones: readonly Lines[], known: KnownRules): Clocks {
  const rules = new Map(zones.map((lines) => [tzidOf(lines), lines]));
  const clocks = new Map<string, Clock | undefined>();
  return (name) => {
    if (!clocks.has(name)) {
      const clock = isKnown(name) ? clockIn(name) : byRules(rules.get(name), known);
      clocks.set(name, clock ?? byAlias(name));
    }
    return clocks.get(name);
  };
}

const isKnown = (name: string): boolean => FORMATS['time-zone']?.test(name) === true;

const tzidOf = (lines: Lines): string | undefined =>
  lines
    .find((line) => /^TZID[:;]/i.test(line))
    ?.replace(/^[^:]*:/, '')
    .trim();

function byRules(lines: Lines | undefined, known: KnownRules): Clock | undefined {
  const text = lines
    ?.map((line) => (/^RRULE/i.test(line) ? line.toUpperCase() : line))
    .join('\r\n');
  if (text !== undefined && !known.has(text)) {
    known.set(text, readRules(text));
  }
  return known.get(text ?? '');
}

function readRules(text: string): Clock | undefined {
  try {
    return clockOf(new ICAL.Timezone(ICAL.Component.fromString(text)));
  } catch {
    return undefined;
  }
}

const clockOf = (zone: ICAL.Timezone): Clock => ({
  instantOf: (wall) => icalTime(wall, zone).toUnixTime() * 1_000,
  wallOf: (instant) => wallOf(icalTime(instant, ICAL.Timezone.utcTimezone).convertToZone(zone)),
});

/** A Windows name, or a path like `/mozilla.org/20050126_1/Europe/Berlin`. */
function byAlias(name: string): Clock | undefined {
  const path = name.split('/').slice(-3);
  const known =
    WINDOWS_ZONES[name] ??
    path.map((_, at) => path.slice(at).join('/')).find((one) => isKnown(one));
  return known === undefined ? undefined : clockIn(known);
}

/** Returns a time without a zone. */
export function icalTime(wall: number, zone = ICAL.Timezone.localTimezone): ICAL.Time {
  const at = new Date(wall);
  const date = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
  const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
  return new ICAL.Time({ ...date, hour, minute, second, isDate: false }, zone);
}

export const wallOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** With or without the separators of ISO 8601. */
const MOMENT = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d+)?(Z)?)?$/i;

/** Returns the time that a text means. Throws for other texts. */
export function momentOf(text: string, { parameters, line }: Property, clocks: Clocks): Moment {
  const [, year, month, day, hour, minute = 0, second = 0, utc] = MOMENT.exec(text.trim()) ?? [];
  const isDate = hour === undefined;
  const [m, d, h] = [Number(month), Number(day), Number(hour ?? 0)];
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= 31 && h <= 24)) {
    throw new Error(line);
  }
  const wall = Date.UTC(Number(year), m - 1, d, h, Number(minute), Number(second));
  const zone = parameters.get('TZID');
  const named = zone === undefined || isDate ? undefined : clocks(zone);
  return { wall, isDate, clock: utc === undefined ? named : UTC };
}
