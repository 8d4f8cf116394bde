/** Monday first, as cron expressions name them. */
export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The last day of a month, in a cron expression. */
export const LAST_DAY = 'L';
export const DAYS_MAX = 31;

interface ClockTime {
  readonly hour: number;
  readonly minute: number;
}

/** When a campaign recurs: once on each of its days. */
export type Schedule = ClockTime &
  (
    | { readonly every: 'day' }
    | { readonly every: 'week'; readonly days: readonly Weekday[] }
    | { readonly every: 'month'; readonly day: number | typeof LAST_DAY }
  );

/** Cron expressions begin the week on Sunday, which is 0 or 7. */
const CRON_WEEK: readonly Weekday[] = ['SUN', ...WEEKDAYS];
const ANY = '*';

/** Returns the schedule of a cron expression; undefined for any other. */
export function scheduleOf(cron: string): Schedule | undefined {
  const [minuteText, hourText, day, month, weekday, ...rest] = cron
    .trim()
    .toUpperCase()
    .split(/\s+/);
  const [minute, hour] = [numberIn(minuteText, 59), numberIn(hourText, 23)];
  if (minute === undefined || hour === undefined || month !== ANY || rest.length > 0) {
    return undefined;
  }
  const time = { hour, minute };
  if (day === ANY && weekday !== ANY) {
    const days = weekdaysIn(weekday ?? '');
    return days && { ...time, every: 'week', days };
  }
  if (weekday !== ANY) {
    return undefined;
  }
  if (day === ANY) {
    return { ...time, every: 'day' };
  }
  const date = day === LAST_DAY ? LAST_DAY : numberIn(day, DAYS_MAX);
  return date === undefined || date === 0 ? undefined : { ...time, every: 'month', day: date };
}

/** Returns the cron expression of a schedule. */
export function cronOf(schedule: Schedule): string {
  const time = `${schedule.minute} ${schedule.hour}`;
  if (schedule.every === 'week') {
    return `${time} * * ${inOrder(schedule.days).join(',')}`;
  }
  return schedule.every === 'month' ? `${time} ${schedule.day} * *` : `${time} * * *`;
}

function numberIn(text: string | undefined, max: number): number | undefined {
  const number = /^\d{1,2}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return number <= max ? number : undefined;
}

/** Returns the days of a list such as `MON,THU` or `1-5`; undefined for anything else. */
function weekdaysIn(text: string): readonly Weekday[] | undefined {
  const days = text.split(',').flatMap((part): readonly (number | undefined)[] => {
    const [from = '', to = from, ...rest] = part.split('-');
    const [first, last] = [weekdayIn(from), weekdayIn(to)];
    return first === undefined || last === undefined || first > last || rest.length > 0
      ? [undefined]
      : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  const names = days.map((day) => CRON_WEEK[day ?? -1]);
  return names.every((name) => name !== undefined) ? inOrder(names) : undefined;
}

/** Returns the position in the week of cron expressions. */
function weekdayIn(text: string): number | undefined {
  const named = CRON_WEEK.indexOf(text as Weekday);
  return named === -1 ? numberIn(text, 7) : named;
}

const inOrder = (days: readonly Weekday[]): readonly Weekday[] =>
  WEEKDAYS.filter((day) => days.includes(day));
