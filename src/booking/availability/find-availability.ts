import type { Reply } from '#core/endpoint/reply.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import type { View } from '#core/work.ts';
import { zoneOfSubAccount } from '../../calendars/bookable.ts';
import { resolveOffer } from '../../calendars/resolve-offer.ts';
import { dateAfter, daysIn, refuseRange, type AvailabilityQuery } from './availability-query.ts';

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
});

/**
 * The free slots of a range of days, cut after as many whole days as were granted. A type that is
 * unknown, foreign or switched off has none, and is told by `appointmentTypeId: null`.
 */
export async function findAvailability(
  view: View,
  query: AvailabilityQuery,
  granted: number,
): Promise<Reply> {
  refuseRange(query);
  const offer = await resolveOffer(view, query);
  const { date, endDate = date } = query;
  const days = daysIn(query);
  const daysReturned = Math.min(days, granted);
  const meta = {
    timezone: offer?.calendar.timezone ?? (await zoneOfSubAccount(view)),
    appointmentTypeId: offer?.type.id ?? null,
    startDate: date,
    endDate,
    days,
    daysReturned,
    truncated: daysReturned < days,
  };
  if (!offer) {
    return { data: [], meta };
  }
  // Loaded with the first question: it brings the time zones along.
  const { findSlots } = await import('./find-slots.ts');
  const to = dateAfter(date, daysReturned - 1);
  return { data: await findSlots(view, offer, { from: date, to }), meta };
}
