import { Temporal } from 'temporal-polyfill';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEK = 7;

/**
 * When a local time comes: `09:00` the next time that clocks show it, `mon 09:00` on the next such
 * day, `2026-12-24T09:00` then. What has passed is now. A time that a change of clocks leaves out
 * comes by as much later as they go forward; one that comes twice, the first time.
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

/** Whether a date is one that the calendar has. */
export function isLocalTime(until: string): boolean {
  try {
    return (
      !until.includes('T') || Boolean(Temporal.PlainDateTime.from(until, { overflow: 'reject' }))
    );
  } catch {
    return false;
  }
}
