import ICAL from 'ical.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { icalTime, wallOf } from './event-clock.ts';

/** Wall times, in epoch milliseconds as if they were in UTC. */
export interface WallWindow {
  readonly from: number;
  readonly until: number;
}

/** A daily event from thirty years ago is at its 11,000th occurrence. */
const STEPS_MAX = 50_000;

/** A series is longer than what is read: the calendar is refused. */
export class SeriesTooLong extends Error {
  constructor() {
    super(`it has a series with more than ${STEPS_MAX} times`);
  }
}

/** A rule without its UNTIL. */
export interface Rule {
  readonly recur: ICAL.Recur;
  /** The text of UNTIL. */
  readonly until: string | undefined;
}

/** Reads the text of an RRULE in any case; parts without a value are left out. Throws if it is not a rule. */
export function ruleOf(text: string): Rule {
  const parts = new Map(
    text
      .toUpperCase()
      .replaceAll(/\s/g, '')
      .split(';')
      .map((part) => part.split('=') as [string, string?])
      .filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
  const until = parts.get('UNTIL');
  parts.delete('UNTIL');
  for (const name of SORTED) {
    const values = parts.get(name)?.split(',');
    if (values) {
      // ical.js returns the times of a day in this order.
      parts.set(name, values.sort((one, other) => Number(one) - Number(other)).join(','));
    }
  }
  const recur = ICAL.Recur.fromString([...parts].map((pair) => pair.join('=')).join(';'));
  if (!recur.freq) {
    throw new Error('it has no FREQ');
  }
  return { recur, until };
}

const SORTED = ['BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYMONTH'];

/**
 * Yields the times of a rule within a window, in order, as wall times. Throws `SeriesTooLong`, and the
 * errors of ical.js if the parts of the rule contradict each other.
 */
export function* timesOf(recur: ICAL.Recur, start: number, window: WallWindow): Generator<number> {
  const { rule, isIncluded, count } = withoutDates(recur);
  const skipped = skipTo(rule, start, count === undefined ? window.from : start);
  const iterator = skipped?.rule.iterator(icalTime(skipped.start));
  let counted = 0;
  for (let step = 0; ; step += 1) {
    const next = counted === count ? undefined : iterator?.next();
    if (step === 0 && iterator && !next) {
      // Combinations that ical.js does not know, such as BYWEEKNO alone.
      throw new Error('it has no times');
    }
    const time = next ? wallOf(next) : window.until;
    if (time >= window.until) {
      return;
    }
    if (step === STEPS_MAX) {
      throw new SeriesTooLong();
    }
    // ical.js begins with the start, whether it matches or not.
    if (time === start || isIncluded(new Date(time))) {
      counted += 1;
      if (time >= window.from) {
        yield time;
      }
    }
  }
}

/**
 * Takes the parts out of a rule that leave out some of its dates, and its COUNT, which applies to the rest.
 * With them, ical.js never ends if no date matches, such as the 30th of February or the last day of a
 * month, and `FREQ=WEEKLY;BYMONTH=3,6` has no times in June.
 */
function withoutDates(recur: ICAL.Recur) {
  const parts = recur.parts as Readonly<Record<string, readonly (number | string)[] | undefined>>;
  const names = parts['BYSETPOS'] ? [] : (LIMITS[recur.freq] ?? []);
  const used = names.filter((name) => parts[name]);
  if (used.length === 0) {
    return { rule: recur, isIncluded: () => true, count: undefined };
  }
  const rule = recur.clone();
  rule.parts = Object.fromEntries(
    Object.entries(rule.parts).filter(([name]) => !used.includes(name)),
  );
  rule.count = null;
  const values = new Map(used.map((name) => [name, parts[name] ?? []]));
  const has = (name: string, ...allowed: readonly (number | string)[]) =>
    values.get(name)?.some((value) => allowed.includes(value)) ?? true;
  const days = values.get('BYDAY')?.map((day) => String(day).slice(-2));
  const isIncluded = (date: Date) => {
    const day = date.getUTCDate();
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    return (
      has('BYMONTH', date.getUTCMonth() + 1) &&
      has('BYMONTHDAY', day, day - last - 1) &&
      (days?.includes(WEEKDAYS[date.getUTCDay()] ?? '') ?? true)
    );
  };
  return { rule, isIncluded, count: recur.count || undefined };
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const DATE_LIMITS = ['BYMONTH', 'BYMONTHDAY', 'BYDAY'];
/** RFC 5545, section 3.3.10; more often than monthly. */
const LIMITS: Readonly<Record<string, readonly string[]>> = {
  SECONDLY: DATE_LIMITS,
  MINUTELY: DATE_LIMITS,
  HOURLY: DATE_LIMITS,
  DAILY: DATE_LIMITS,
  WEEKLY: ['BYMONTH'],
};

const UNITS: Readonly<Record<string, number>> = {
  SECONDLY: SECOND_MS,
  MINUTELY: MINUTE_MS,
  HOURLY: HOUR_MS,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
};

/** Parts whose times are the same in each period of whole days. */
const PERIODIC = new Set(['BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND']);

/**
 * Moves the start of a rule forward to a time before `from`, by periods of whole days after which its
 * times are the same: ical.js takes 25 µs for each time, and an hourly series has 8,760 a year. Returns
 * undefined if the COUNT of the rule is reached before.
 */
function skipTo(recur: ICAL.Recur, start: number, from: number) {
  const parts = Object.keys(recur.parts);
  const step = (UNITS[recur.freq] ?? Number.NaN) * recur.interval;
  const period = (step / greatestDivisor(step, DAY_MS)) * DAY_MS;
  const periods = Math.floor((from - start) / period) - 1;
  // With other parts, the number of times that are skipped is unknown.
  const isCounted = !recur.count || parts.length === 0;
  if (!(periods > 0) || !isCounted || !parts.every((part) => PERIODIC.has(part))) {
    return { rule: recur, start };
  }
  const skipped = (periods * period) / step;
  if (recur.count && skipped >= recur.count) {
    return undefined;
  }
  const rule = recur.clone();
  rule.count = recur.count ? recur.count - skipped : null;
  return { rule, start: start + periods * period };
}

const greatestDivisor = (one: number, other: number): number =>
  other > 0 ? greatestDivisor(other, one % other) : one;
