import type { Static } from 'typebox';
import { invalid } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import { DAY_MS } from '#lib/duration.ts';

export const DAYS_MAX = 31;
const NAME_MAX = 255;

export const availabilityQuery = s.request({
  appointmentTypeId: Type.Optional(
    s.uuid({ description: 'required unless appointmentType is given' }),
  ),
  appointmentType: Type.Optional(
    s.shortText({ maxLength: NAME_MAX, description: 'name or slug of the type, without case' }),
  ),
  date: s.isoDate({ description: "the first day, in the calendar's time zone" }),
  endDate: Type.Optional(
    s.isoDate({ description: `the last day, included; at most ${DAYS_MAX} days in all` }),
  ),
});
export type AvailabilityQuery = Static<typeof availabilityQuery>;

type Dates = Pick<AvailabilityQuery, 'date' | 'endDate'>;

/** How many days are asked for, both ends counted. */
export const daysIn = ({ date, endDate = date }: Dates): number =>
  (Date.parse(endDate) - Date.parse(date)) / DAY_MS + 1;

/** A day costs a request; a range that will be refused costs one. */
export function costOfDays(dates: Dates): number {
  const days = daysIn(dates);
  return days >= 1 && days <= DAYS_MAX ? days : 1;
}

export function refuseRange(dates: Dates): void {
  const days = daysIn(dates);
  if (days < 1) {
    throw invalid([{ in: 'query', path: '/endDate', message: 'must not be before date' }]);
  }
  if (days > DAYS_MAX) {
    const message = `must be at most ${DAYS_MAX} days with date and endDate counted, not ${days}`;
    throw invalid([{ in: 'query', path: '/endDate', message }]);
  }
}

/** `2026-12-31` and one more is `2027-01-01`. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
