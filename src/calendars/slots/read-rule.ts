import { Fault } from '#core/fault.ts';

/** A recurrence rule of RFC 5545, its end apart from the rest. */
export interface Rule {
  readonly text: string;
  /** The last moment; a wall clock's time as if it were UTC, unless `isUtc` says that it is. */
  readonly until: { readonly time: number; readonly isUtc: boolean } | undefined;
}

const DAYS = '(?:MO|TU|WE|TH|FR|SA|SU)';
const listOf = (one: string) => `${one}(?:,${one})*`;

/** What a rule may say, and nothing that falls more than once on a date. */
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

/** Reads `FREQ=WEEKLY;COUNT=3`; what is no such rule is a fault that says where. */
export function readRule(text: string): Rule {
  if (text.length > TEXT_MAX) {
    throw unreadable(`is longer than ${TEXT_MAX} characters`);
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
      throw unreadable(`has ${JSON.stringify(pair)}, which cannot be used`);
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

/** `20270131`, that date's end, `20270131T090000` on the wall clock, or `20270131T080000Z`. */
function readUntil(text: string): NonNullable<Rule['until']> {
  const [date = '', time = '235959Z'] = text.split('T');
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)Z?/, '$1:$2:$3')}Z`;
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) {
    throw unreadable(`has UNTIL=${text}, which is no time`);
  }
  return { time: instant, isUtc: text.endsWith('Z') };
}

const unreadable = (what: string): Fault => new Fault('VALIDATION_ERROR', `repeat ${what}`);
