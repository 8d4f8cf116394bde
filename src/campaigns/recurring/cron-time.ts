import { createTask, parse, validateDetailed } from 'node-cron';
import { Temporal } from 'temporal-polyfill';

/** Two leap days are at most eight years apart. */
const DAYS_AHEAD = 8 * 366;
const FIELDS = 5;

/** Returns why a cron expression is refused, or undefined if it is valid and has a next tick. */
export function cronIssue(expression: string): string | undefined {
  const given = `given: ${JSON.stringify(expression)}`;
  const isNickname = expression.startsWith('@');
  if (!isNickname && expression.trim().split(/\s+/).length !== FIELDS) {
    return `must be a cron expression of five fields (minute, hour, day of month, month, weekday), such as 0 9 * * MON; ${given}`;
  }
  const { valid, errors } = validateDetailed(expression);
  if (!valid) {
    const wrong = errors.map(({ field, value }) => `${field} ${value ?? ''}`.trim()).join(', ');
    return `is not a cron expression: wrong ${wrong}; ${given}`;
  }
  return nextTick(expression, 'UTC', new Date())
    ? undefined
    : `has no such day within eight years; ${given}`;
}

/**
 * Returns the first tick after an instant, or undefined if there is none within eight years. A local
 * time that a clock change skips is the next valid time; a time that occurs twice is its first
 * occurrence.
 */
export const nextTick = (expression: string, zone: string, after: Date): Date | undefined =>
  nextOf(readExpression(expression), zone, after);

/** Returns the last tick in a span (`after` excluded, `until` included), or undefined. */
export function lastTick(
  expression: string,
  zone: string,
  { after, until }: { readonly after: Date; readonly until: Date },
): Date | undefined {
  const read = readExpression(expression);
  let last: Date | undefined;
  let next = nextOf(read, zone, after);
  while (next && next <= until) {
    last = next;
    next = nextOf(read, zone, next);
  }
  return last;
}

type Expression = ReturnType<typeof readExpression>;

function nextOf({ matches, times }: Expression, zone: string, after: Date): Date | undefined {
  const today = Temporal.Instant.fromEpochMilliseconds(after.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  // A time of yesterday may have been moved across midnight.
  for (let days = -1; days < DAYS_AHEAD; days += 1) {
    const date = today.add({ days });
    const next = matches(date) ? firstAfter(date, times, zone, after.getTime()) : undefined;
    if (next !== undefined) {
      return new Date(next);
    }
  }
  return undefined;
}

/** A day may have 1,440 times, whose instants never decrease: found by bisection. */
function firstAfter(
  date: Temporal.PlainDate,
  times: readonly Temporal.PlainTime[],
  zone: string,
  after: number,
): number | undefined {
  const instantAt = (index: number) => instantOf(date.toPlainDateTime(times[index]), zone);
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instantAt(middle) > after) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low < times.length ? instantAt(low) : undefined;
}

/** Returns the ticks of a day that the expression matches, at most. */
export function ticksPerDay(expression: string): number {
  return readExpression(expression).times.length;
}

/** node-cron decides which days match: local dates are passed to it as dates in UTC. */
function readExpression(expression: string) {
  const { hour, minute } = parse(expression);
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  void task.destroy();
  const times = hour
    .toSorted((a, b) => a - b)
    .flatMap((h) => minute.toSorted((a, b) => a - b).map((m) => new Temporal.PlainTime(h, m)));
  const [first = new Temporal.PlainTime()] = times;
  const matches = ({ year, month, day }: Temporal.PlainDate): boolean =>
    task.match(new Date(Date.UTC(year, month - 1, day, first.hour, first.minute)));
  return { matches, times };
}

/** Returns epoch milliseconds. A skipped local time is the moment of the clock change. */
function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  const at = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (at.toPlainDateTime().equals(local)) {
    return at.epochMilliseconds;
  }
  return (at.getTimeZoneTransition('next') ?? at).epochMilliseconds;
}
