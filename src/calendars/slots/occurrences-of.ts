import { createRequire } from 'node:module';
import { Fault } from '#core/fault.ts';
import { MINUTE_MS, DAY_MS } from '#lib/duration.ts';
import { readRule, type Rule } from './read-rule.ts';
import { instantAt, offsetAt, zoneAround } from './zone.ts';

/** Published as CommonJS whose names Node cannot read off. */
const require = createRequire(import.meta.url);
const { RRule } = require('rrule') as typeof import('rrule');

/** Two years of days: nobody looks after a longer series, and an endless rule has to end somewhere. */
export const OCCURRENCES_MAX = 732;

/**
 * rrule looks for a next occurrence until the year 9999, 6 s long for a rule that has none. The
 * calendar repeats itself every 400 years, weekdays included, so it is asked about the last of them.
 */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;
const SERIES_YEARS_MAX = 100;
const LAST_YEAR = 9_999;

/**
 * The starts of a series, the given one first: each at the same time of day in the zone, whatever its
 * clocks do. An endless rule is cut after `OCCURRENCES_MAX`. Throws a fault that says what is wrong.
 */
export function occurrencesOf(repeat: string, start: number, timezone: string): number[] {
  const rule = readRule(repeat);
  const first = start + offsetAt(zoneAround(timezone, start), start);
  const [begun, ...rest] = floatingOccurrences(rule, first, timezone);
  if (begun !== first) {
    throw new Fault('VALIDATION_ERROR', `repeat ${repeat} does not hold at the first start`);
  }
  return [start, ...rest.map((local) => realTime(local, timezone))];
}

/** Occurrences as if the wall clock's times were UTC: rrule's own zones depend on the process's. */
function floatingOccurrences({ text, until }: Rule, first: number, timezone: string): number[] {
  const year = new Date(first).getUTCFullYear();
  const cycles = Math.floor((LAST_YEAR - SERIES_YEARS_MAX - year) / CYCLE_YEARS);
  const shift = Math.max(0, cycles) * CYCLE_MS;
  const last = until ? localEnd(until, timezone) : Infinity;
  const found = new RRule({ ...RRule.parseString(text), dtstart: new Date(first + shift) }).all(
    (date, n) => n < OCCURRENCES_MAX && date.getTime() - shift <= last,
  );
  return found.map((date) => date.getTime() - shift);
}

const localEnd = ({ time, isUtc }: NonNullable<Rule['until']>, timezone: string): number =>
  isUtc ? time + offsetAt(zoneAround(timezone, time), time) : time;

function realTime(local: number, timezone: string): number {
  const day = Math.floor(local / DAY_MS);
  return instantAt(zoneAround(timezone, local), day, (local - day * DAY_MS) / MINUTE_MS);
}
