import { validateDetailed } from 'node-cron';
import { Temporal } from 'temporal-polyfill';
import { boundedCache } from '#lib/bounded-cache.ts';
import { dayMatcher, type IsDay } from './cron-days.ts';

/** Two leap days are at most eight years apart. */
const DAYS_AHEAD = 8 * 366;
const FIELDS = 5;
const MONTHS = 12;

/** Returns why a cron expression is refused, or undefined if it is valid and has a next tick. */
export function cronIssue(expression: string): string | undefined {
  const given = `given: ${JSON.stringify(expression)}`;
  const isNickname = expression.startsWith('@');
  if (!isNickname && expression.trim().split(/\s+/).length !== FIELDS) {
    return `must be a cron expression of five fields (minute, hour, day of month, month, weekday), such as 0 9 * * MON; ${given}`;
  }
  if (LONG_RANGE.test(expression)) {
    return `is not a cron expression: a range has a number above 99; ${given}`;
  }
  const read = expressionOf(expression);
  if ('wrong' in read) {
    return `is not a cron expression: wrong ${read.wrong}; ${given}`;
  }
  return nextOf(read, 'UTC', new Date())
    ? undefined
    : `has no such day within eight years; ${given}`;
}

/** node-cron lists the numbers of a range before it checks them: those of `0-199999999` take 30 s. */
const LONG_RANGE = /\d{3,}-|-\d{3,}/;

/**
 * Returns the first tick after an instant, or undefined if there is none within eight years. A local
 * time that a clock change skips is the next valid time; a time that occurs twice is its first
 * occurrence.
 */
export const nextTick = (expression: string, zone: string, after: Date): Date | undefined =>
  nextOf(validExpression(expression), zone, after);

/** Returns the last tick in a span (`after` excluded, `until` included), or undefined. */
export function lastTick(
  expression: string,
  zone: string,
  { after, until }: { readonly after: Date; readonly until: Date },
): Date | undefined {
  const read = validExpression(expression);
  // A time that occurs twice may be on the day after the one of `until`.
  const end = dateOf(until, zone).add({ days: 2 });
  const dates = [...matchingDates(read, dateOf(after, zone).subtract({ days: 1 }), end)];
  for (const date of dates.toReversed()) {
    const at = instantsOn(date, read, zone);
    const count = countUntil(at, read.times, until.getTime());
    if (count > 0) {
      const last = at(count - 1);
      return last > after.getTime() ? new Date(last) : undefined;
    }
  }
  return undefined;
}

/** Returns the ticks of a day that the expression matches, at most. */
export const ticksPerDay = (expression: string): number => validExpression(expression).times;

interface Expression {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  /** The number of times on a day. */
  readonly times: number;
  readonly months: ReadonlySet<number>;
  readonly isDay: IsDay;
}

interface WrongFields {
  /** The fields that node-cron refuses. */
  readonly wrong: string;
}

/** Many campaigns have the same few expressions. */
const readOnce = boundedCache<Expression | WrongFields>(500);

const expressionOf = (expression: string): Expression | WrongFields =>
  readOnce(expression, () => readExpression(expression));

function validExpression(expression: string): Expression {
  const read = expressionOf(expression);
  if ('wrong' in read) {
    throw new Error(`not a cron expression: ${expression}`);
  }
  return read;
}

function readExpression(expression: string): Expression | WrongFields {
  const { fields, errors } = validateDetailed(expression);
  if (!fields) {
    return {
      wrong: errors.map(({ field, value }) => `${field} ${value ?? ''}`.trim()).join(', '),
    };
  }
  const hours = inOrder(fields.hour);
  const minutes = inOrder(fields.minute);
  return {
    hours,
    minutes,
    times: hours.length * minutes.length,
    months: new Set(fields.month),
    isDay: dayMatcher(fields),
  };
}

/** A number may be listed many times. */
const inOrder = (numbers: readonly number[]): number[] =>
  [...new Set(numbers)].sort((a, b) => a - b);

function nextOf(read: Expression, zone: string, after: Date): Date | undefined {
  const today = dateOf(after, zone);
  // A time of yesterday may have been moved across midnight.
  const from = today.subtract({ days: 1 });
  for (const date of matchingDates(read, from, today.add({ days: DAYS_AHEAD }))) {
    const at = instantsOn(date, read, zone);
    const passed = countUntil(at, read.times, after.getTime());
    if (passed < read.times) {
      return new Date(at(passed));
    }
  }
  return undefined;
}

/** Yields the days that match, without time-zone arithmetic: 29 February is up to eight years away. */
function* matchingDates(
  { months, isDay }: Expression,
  from: Temporal.PlainDate,
  end: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  for (let index = monthIndex(from); index <= monthIndex(end); index += 1) {
    const year = Math.floor(index / MONTHS);
    const month = (index % MONTHS) + 1;
    const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const weekdayOfFirst = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
    for (let day = 1; months.has(month) && day <= last; day += 1) {
      if (isDay({ day, weekday: (weekdayOfFirst + day - 1) % 7, last })) {
        const date = new Temporal.PlainDate(year, month, day);
        if (isBefore(date, end) && !isBefore(date, from)) {
          yield date;
        }
      }
    }
  }
}

const monthIndex = ({ year, month }: Temporal.PlainDate): number => year * MONTHS + month - 1;

const isBefore = (one: Temporal.PlainDate, other: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(one, other) < 0;

const dateOf = (at: Date, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate();

/** Returns a function for the instants of a day's times, which never decrease. */
function instantsOn(date: Temporal.PlainDate, { hours, minutes }: Expression, zone: string) {
  return (index: number): number => {
    const hour = hours[Math.floor(index / minutes.length)];
    const minute = minutes[index % minutes.length];
    return instantOf(date.toPlainDateTime(new Temporal.PlainTime(hour, minute)), zone);
  };
}

/** Returns how many instants are not after `until`: by bisection, since a day may have 1,440. */
function countUntil(at: (index: number) => number, times: number, until: number): number {
  let low = 0;
  let high = times;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) > until) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** Returns epoch milliseconds. A skipped local time is the moment of the clock change. */
function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  const at = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (at.toPlainDateTime().equals(local)) {
    return at.epochMilliseconds;
  }
  return (at.getTimeZoneTransition('next') ?? at).epochMilliseconds;
}
