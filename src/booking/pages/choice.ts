import { Type, type Static } from 'typebox';
import { instantOf } from '#core/schema/instant.ts';
import * as s from '#core/schema/schema.ts';

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** The visitor's choices so far, as links carry them. Invalid values are ignored. */
export const choiceQuery = s.request({
  tz: text(100),
  /** `12` or `24` hours; absent: as the sub-account's locale has it. */
  clock: text(100),
  month: text(100),
  date: text(100),
  start: text(100),
  /** The change that was just made, for the page that shows an appointment. */
  done: text(100),
});
export type Choice = Static<typeof choiceQuery>;

/** Returns a link with the choices so far and a change; an empty value removes a choice. */
export function hrefTo(path: string, choice: Choice, change: Choice = {}): string {
  const chosen = Object.entries({ ...choice, ...change }).filter(([, value]) => value);
  const query = new URLSearchParams(chosen).toString();
  return query ? `${path}?${query}` : path;
}

/** Returns the start of a slot in a link or a form, in epoch milliseconds; links may have it in ISO 8601. */
export function startOf(start: string | undefined): number | undefined {
  if (start === undefined) {
    return undefined;
  }
  if (/^\d{1,15}$/.test(start)) {
    return Number(start);
  }
  const instant = instantOf(start, 0);
  return typeof instant === 'number' ? instant : undefined;
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export const isMonth = (month: string | undefined): month is string =>
  month !== undefined && MONTH.test(month);

export const monthOf = (date: string): string => date.slice(0, 7);

export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** A month with at most this many days left is followed by the first weeks of the next one. */
const ENDING_DAYS = 14;
/** How many days of the next month follow at most: three weeks, after a week that begins this month. */
export const FOLLOWING_DAYS = 27;

/** Whether a month is the current one and about to end: its few weeks would leave the page empty. */
export const isEnding = (month: string, today: string): boolean =>
  month === monthOf(today) && lastDayOf(month) - Number(today.slice(8)) < ENDING_DAYS;

function lastDayOf(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/**
 * Returns how many days the page of a choice shows: the days of its month that are not past, and
 * the days that follow a month about to end.
 */
export function daysShown({ month, date, start }: Choice, now: Date): number {
  const today = now.toISOString().slice(0, 10);
  const chosen = startOf(start);
  const requested = chosen === undefined ? (month ?? date?.slice(0, 7)) : isoMonth(chosen);
  const shown = isMonth(requested) && requested > monthOf(today) ? requested : monthOf(today);
  if (shown !== monthOf(today)) {
    return lastDayOf(shown);
  }
  const left = lastDayOf(shown) - now.getUTCDate() + 1;
  return isEnding(shown, today) ? left + FOLLOWING_DAYS : left;
}

const isoMonth = (epochMs: number): string | undefined =>
  epochMs <= LAST_MS ? new Date(epochMs).toISOString().slice(0, 7) : undefined;

/** The end of the year 9999. */
const LAST_MS = 253_402_300_799_999;
