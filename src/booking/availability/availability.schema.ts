import { Type, type Static } from 'typebox';
import { invalid } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { DAY_MS } from '#lib/duration.ts';

export const DAYS_MAX = 31;
const NAME_MAX = 255;

export const availabilityQuery = s.request({
  appointmentTypeId: Type.Optional(
    s.uuid({ description: 'required unless appointmentType is given' }),
  ),
  appointmentType: Type.Optional(
    s.shortText({ maxLength: NAME_MAX, description: 'name or slug of the type, ignoring case' }),
  ),
  date: s.isoDate({ description: "the first day, in the calendar's time zone" }),
  endDate: Type.Optional(
    s.isoDate({ description: `the last day, inclusive; a range has at most ${DAYS_MAX} days` }),
  ),
});
export type AvailabilityQuery = Static<typeof availabilityQuery>;

/** With a key, the slots of one team member can be asked for. */
export const keyedAvailabilityQuery = s.request({
  ...availabilityQuery.properties,
  assignedTo: Type.Optional(
    s.uuid({ description: 'a team member: returns only the slots that they can take' }),
  ),
});
export type KeyedAvailabilityQuery = Static<typeof keyedAvailabilityQuery>;

export const slotSchema = s.response({
  start: s.isoTime(),
  end: s.isoTime(),
  startTime: s.epochMs(),
  endTime: s.epochMs(),
  date: s.isoDate(),
  label: Type.String({ examples: ['Tue, 1 Dec 2026, 09:00'] }),
  timezone: s.timeZone(),
  available: Type.Boolean(),
  seatsRemaining: Type.Optional(Type.Integer({ minimum: 0 })),
});

export const availabilityMeta = Type.Object({
  timezone: s.timeZone(),
  appointmentTypeId: s.nullable(s.uuid()),
  startDate: s.isoDate(),
  endDate: s.isoDate(),
  days: Type.Integer(),
  daysReturned: Type.Integer(),
  truncated: Type.Boolean(),
  unresolved: Type.Optional(
    s.oneOf(['unknown', 'inactive'], { description: 'why the type has no slots at all' }),
  ),
});

export const keyedAvailabilityMeta = Type.Object({
  ...availabilityMeta.properties,
  known: Type.Optional(
    Type.Array(Type.String(), {
      description: 'slugs of the active types, if the type is unresolved',
      examples: [['check-up']],
    }),
  ),
});

type Dates = Pick<AvailabilityQuery, 'date' | 'endDate'>;

/** Returns the number of days in a range, both ends included. */
export const daysIn = ({ date, endDate = date }: Dates): number =>
  (Date.parse(endDate) - Date.parse(date)) / DAY_MS + 1;

/** Each day costs one request of the rate; a range that will be refused costs one. */
export function costOfDays(dates: Dates): number {
  const days = daysIn(dates);
  return days >= 1 && days <= DAYS_MAX ? days : 1;
}

/** Throws VALIDATION_ERROR for a range that ends before it begins or is longer than `DAYS_MAX`. */
export function assertRange(dates: Dates): void {
  const days = daysIn(dates);
  if (days < 1) {
    throw invalid([{ in: 'query', path: '/endDate', message: 'must not be before date' }]);
  }
  if (days > DAYS_MAX) {
    const message = `must be at most ${DAYS_MAX - 1} days after date: a range has at most ${DAYS_MAX} days, this one has ${days}`;
    throw invalid([{ in: 'query', path: '/endDate', message }]);
  }
}

/** Returns the date that many days later: `2026-12-31` plus 1 is `2027-01-01`. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
