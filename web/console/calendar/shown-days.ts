import { endOfMonth, startOfMonth, startOfWeek, type CalendarDate } from '@internationalized/date';
import { endOf, startOf, type Span } from './day-grid.ts';

export const CALENDAR_VIEWS = ['day', 'week', 'month', 'agenda'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

const DAYS_OF_WEEK = 7;
const AGENDA_DAYS = 14;

const fromTo = (first: CalendarDate, count: number): readonly CalendarDate[] =>
  Array.from({ length: count }, (_, index) => first.add({ days: index }));

/** Returns the days that a view shows: a month in whole weeks. */
export function daysShown(
  view: CalendarView,
  date: CalendarDate,
  locale: string,
): readonly CalendarDate[] {
  switch (view) {
    case 'day':
      return [date];
    case 'week':
      return fromTo(startOfWeek(date, locale), DAYS_OF_WEEK);
    case 'agenda':
      return fromTo(date, AGENDA_DAYS);
    case 'month': {
      const first = startOfWeek(startOfMonth(date), locale);
      const last = startOfWeek(endOfMonth(date), locale).add({ days: DAYS_OF_WEEK - 1 });
      const weeks = Math.round(last.compare(first) / DAYS_OF_WEEK);
      return fromTo(first, weeks * DAYS_OF_WEEK);
    }
  }
}

/** Returns a day of the month that whole weeks show: the first week may begin in the month before. */
export const monthOf = (days: readonly CalendarDate[]): CalendarDate | undefined =>
  days[DAYS_OF_WEEK];

/** Returns the date from which the view is shown `count` pages later. */
export function dateAfter(view: CalendarView, date: CalendarDate, count: number): CalendarDate {
  if (view === 'month') {
    return startOfMonth(date).add({ months: count });
  }
  const length = { day: 1, week: DAYS_OF_WEEK, agenda: AGENDA_DAYS }[view];
  return date.add({ days: count * length });
}

/** Returns what lies on a day, in order; a day may have 23 or 25 hours. */
export const onDay = <S extends Span>(
  spans: readonly S[],
  day: CalendarDate,
  timeZone: string,
): readonly S[] => {
  const [from, until] = [startOf(day, timeZone), endOf(day, timeZone)];
  return spans
    .filter(({ startTime, endTime }) => Date.parse(startTime) < until && Date.parse(endTime) > from)
    .toSorted((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime));
};
