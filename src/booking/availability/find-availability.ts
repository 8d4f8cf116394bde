import { findSlots } from './find-slots.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import type { View } from '#core/work.ts';
import { zoneOfSubAccount } from '../../calendars/bookable.ts';
import { resolveOffer } from '../../calendars/find-offer.ts';
import { assertRange, dateAfter, daysIn, type AvailabilityQuery } from './availability.schema.ts';

/**
 * Returns the free slots of a range of days, cut after as many whole days as the rate limit granted.
 * An unknown, foreign or inactive type has none, and `meta.appointmentTypeId` is null.
 */
export async function findAvailability(
  view: View,
  query: AvailabilityQuery,
  granted: number,
): Promise<Reply> {
  assertRange(query);
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
  const to = dateAfter(date, daysReturned - 1);
  return { data: await findSlots(view, offer, { from: date, to }), meta };
}
