import { Temporal } from 'temporal-polyfill';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEK = 7;

/**
 * Returns the next instant of a local time: `09:00`, `mon 09:00` or `2026-12-24T09:00`. Returns `now`
 * for a date in the past. A time that daylight saving skips moves forward by the gap; of a time that
 * occurs twice, the first one counts.
 */
export function waitUntil(until: string, timezone: string, now: Date): Date {
  if (until.includes('T')) {
    const at = Temporal.PlainDateTime.from(until).toZonedDateTime(timezone).epochMilliseconds;
    return new Date(Math.max(at, now.getTime()));
  }
  const [time = '', weekday] = until.split(' ').toReversed();
  const clock = Temporal.PlainTime.from(time);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  for (let days = 0; ; days += 1) {
    const date = today.add({ days });
    const isDay = weekday === undefined || WEEKDAYS[date.dayOfWeek - 1] === weekday;
    const at = date.toPlainDateTime(clock).toZonedDateTime(timezone).epochMilliseconds;
    if ((isDay && at >= now.getTime()) || days > 2 * WEEK) {
      return new Date(at);
    }
  }
}

/** Returns whether the date of a local time exists in the calendar. */
export function isLocalTime(until: string): boolean {
  try {
    return (
      !until.includes('T') || Boolean(Temporal.PlainDateTime.from(until, { overflow: 'reject' }))
    );
  } catch {
    return false;
  }
}
