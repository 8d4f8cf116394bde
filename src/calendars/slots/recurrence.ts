import { createRequire } from 'node:module';
import { MINUTE_MS, DAY_MS } from '#lib/duration.ts';
import { Fault } from '#core/fault.ts';
import { instantAt, offsetAt, zoneAround } from './zone.ts';

/** A CommonJS package whose named exports Node cannot detect. */
const require = createRequire(import.meta.url);
const { RRule } = require('rrule') as typeof import('rrule');

/** Two years of days: an endless rule is cut here. */
export const OCCURRENCES_MAX = 732;

/**
 * rrule searches for the next occurrence until the year 9999, which takes 6 s for a rule without one.
 * The calendar repeats every 400 years, weekdays included, so the search starts near the end.
 */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;
const SERIES_YEARS_MAX = 100;
const LAST_YEAR = 9_999;

/**
 * Returns the starts of a series, the given one first: each at the same local time, also across clock
 * changes. An endless rule is cut after `OCCURRENCES_MAX`. Throws VALIDATION_ERROR for a bad rule.
 */
export function occurrencesOf(repeat: string, start: number, timezone: string): number[] {
  const rule = readRule(repeat);
  const first = start + offsetAt(zoneAround(timezone, start), start);
  const [begun, ...rest] = floatingOccurrences(rule, first, timezone);
  if (begun !== first) {
    throw new Fault('VALIDATION_ERROR', `repeat ${repeat} has no occurrence at the first start`);
  }
  return [start, ...rest.map((local) => realTime(local, timezone))];
}

/** Returns local times as if they were UTC: rrule's own zones depend on the process's. */
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

/** A recurrence rule (RFC 5545), with its end apart from the rest. */
export interface Rule {
  readonly text: string;
  /** The last moment: a local time as if it were UTC, or UTC if `isUtc` is true. */
  readonly until: { readonly time: number; readonly isUtc: boolean } | undefined;
}

const DAYS = '(?:MO|TU|WE|TH|FR|SA|SU)';
const listOf = (one: string) => `${one}(?:,${one})*`;

/** The supported parts of a rule: none repeats within a date. */
const PARTS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({
    FREQ: 'DAILY|WEEKLY|MONTHLY|YEARLY',
    INTERVAL: '[1-9]\\d{0,2}',
    COUNT: '[1-9]\\d{0,3}',
    UNTIL: '\\d{8}(?:T\\d{6}Z?)?',
    WKST: DAYS,
    BYDAY: listOf(`(?:[+-]?[1-5])?${DAYS}`),
    BYMONTH: listOf('(?:[1-9]|1[0-2])'),
    BYMONTHDAY: listOf('[+-]?(?:[1-9]|[12]\\d|3[01])'),
    BYSETPOS: listOf('[+-]?[1-9]\\d{0,2}'),
  }).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)]),
);
const TEXT_MAX = 300;

/** Reads `FREQ=WEEKLY;COUNT=3`. Throws VALIDATION_ERROR that names the wrong part. */
function readRule(text: string): Rule {
  if (text.length > TEXT_MAX) {
    throw unreadable(`has ${text.length} characters; at most ${TEXT_MAX} are allowed`);
  }
  const pairs = text
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';');
  const parts = new Map<string, string>();
  for (const pair of pairs) {
    const [name = '', value = '', ...more] = pair.split('=');
    const pattern = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (!pattern?.test(value) || more.length > 0 || parts.has(name)) {
      throw unreadable(`has ${JSON.stringify(pair)}, which is not supported`);
    }
    parts.set(name, value);
  }
  if (!parts.has('FREQ')) {
    throw unreadable('has no FREQ, for example FREQ=WEEKLY');
  }
  if (/\d/.test(parts.get('BYDAY') ?? '') && !/MONTHLY|YEARLY/.test(parts.get('FREQ') ?? '')) {
    throw unreadable('counts weekdays, which needs FREQ=MONTHLY or FREQ=YEARLY');
  }
  const until = parts.get('UNTIL');
  parts.delete('UNTIL');
  const rest = [...parts].map(([name, value]) => `${name}=${value}`).join(';');
  return { text: rest, until: until === undefined ? undefined : readUntil(until) };
}

/** Reads `20270131` (the end of that date), `20270131T090000` (local time) or `20270131T080000Z`. */
function readUntil(text: string): NonNullable<Rule['until']> {
  const [date = '', time = '235959Z'] = text.split('T');
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)Z?/, '$1:$2:$3')}Z`;
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) {
    throw unreadable(`has UNTIL=${text}, which is not a time`);
  }
  return { time: instant, isUtc: text.endsWith('Z') };
}

const unreadable = (what: string): Fault => new Fault('VALIDATION_ERROR', `repeat ${what}`);
