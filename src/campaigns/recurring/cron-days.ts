/** A day within its month. */
interface Day {
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** The last day of the month. */
  readonly last: number;
}

export type IsDay = (day: Day) => boolean;

interface DayFields {
  readonly dayOfMonth: readonly (number | string)[];
  readonly dayOfWeek: readonly (number | string)[];
}

/**
 * Returns whether both fields of an expression match a day. node-cron's own match formats each day with
 * `Intl`, which took seconds for a thousand expressions.
 */
export function dayMatcher({ dayOfMonth, dayOfWeek }: DayFields): IsDay {
  const ofMonth = [...new Set(dayOfMonth)].map(dayOfMonthMatcher);
  const ofWeek = [...new Set(dayOfWeek)].map(weekdayMatcher);
  return (day) => ofWeek.some((matches) => matches(day)) && ofMonth.some((matches) => matches(day));
}

const NEVER: IsDay = () => false;

/** A day such as 15, or `L`, `L-3` (three days before the last one), `15W` or `LW` (the weekday nearest). */
function dayOfMonthMatcher(value: number | string): IsDay {
  if (typeof value === 'number') {
    return ({ day }) => day === value;
  }
  const [, before, nearest] = /^L(?:-(\d+))?$|^(\d+|L)W$/.exec(value) ?? [];
  if (nearest === undefined) {
    return value.startsWith('L') ? ({ day, last }) => day === last - Number(before ?? 0) : NEVER;
  }
  return (day) => isNearest(day, nearest === 'L' ? day.last : Number(nearest));
}

/** Whether a day is the one from Monday to Friday that is nearest to a day, in the same month. */
function isNearest({ day, weekday, last }: Day, target: number): boolean {
  if (target > last || weekday === SATURDAY || weekday === SUNDAY) {
    return false;
  }
  const isFriday = weekday === FRIDAY;
  const isMonday = weekday === MONDAY;
  return (
    day === target ||
    (isFriday && day === target - 1) ||
    (isMonday && day === target + 1) ||
    // A month that begins on a Saturday, or ends on a Sunday.
    (isMonday && target === 1 && day === 3) ||
    (isFriday && target === last && day === last - 2)
  );
}

const [SUNDAY, MONDAY, FRIDAY, SATURDAY] = [0, 1, 5, 6];
const WEEK = 7;

/** A weekday, the last one of the month (`5L`), or the nth one (`5#2`). */
function weekdayMatcher(value: number | string): IsDay {
  if (typeof value === 'number') {
    return ({ weekday }) => weekday === value;
  }
  const [, wanted, nth] = /^([0-7])(?:L|#([1-5]))$/.exec(value) ?? [];
  if (wanted === undefined) {
    return NEVER;
  }
  const ofWeek = Number(wanted) % WEEK;
  return nth === undefined
    ? ({ weekday, day, last }) => weekday === ofWeek && day + WEEK > last
    : ({ weekday, day }) => weekday === ofWeek && Math.ceil(day / WEEK) === Number(nth);
}
