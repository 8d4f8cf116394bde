const MORNING_HOUR = 9;
const DAYS_OF_WEEK = 7;

const CLOCK = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** Returns the clock of a zone at a moment as if it were UTC. @internationalized/date would be loaded for it with the first screen. */
function clockIn(timeZone: string, at: Date): Date {
  const parts = new Intl.DateTimeFormat('en', { ...CLOCK, timeZone }).formatToParts(at);
  const numberOf = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [numberOf('year'), numberOf('month') - 1, numberOf('day')];
  return new Date(
    Date.UTC(year, month, day, numberOf('hour'), numberOf('minute'), numberOf('second')),
  );
}

/** Returns how many days from a moment the next Monday is: 1 to 7. */
export const daysToMonday = (timeZone: string, at: Date): number =>
  DAYS_OF_WEEK - ((clockIn(timeZone, at).getUTCDay() + 6) % DAYS_OF_WEEK);

/** Returns 9:00 of a day from a moment. */
export function morningIn(timeZone: string, at: Date, days: number): Date {
  const clock = clockIn(timeZone, at);
  const morning = Date.UTC(
    clock.getUTCFullYear(),
    clock.getUTCMonth(),
    clock.getUTCDate() + days,
    MORNING_HOUR,
  );
  // The clocks may change in between: the second step uses their offset at that time.
  const offsetAt = (moment: Date) =>
    clockIn(timeZone, moment).getTime() - Math.floor(moment.getTime() / 1_000) * 1_000;
  const near = new Date(morning - offsetAt(at));
  return new Date(morning - offsetAt(near));
}
