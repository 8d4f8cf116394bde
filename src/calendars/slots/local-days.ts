import { DAY_MS } from '#lib/duration.ts';
import { WEEKDAYS, type Weekday } from '../schedule.ts';

/** Dates as numbers, days since 1970-01-01, so that a calendar of 31 days is counted and not parsed. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): Weekday => WEEKDAYS[(((day + 3) % 7) + 7) % 7] as Weekday;
