import type { View } from '#core/work.ts';
import { findOfferOf } from '../appointments/find-offer-of.ts';
import { assertRange, dateAfter, daysIn, type AvailabilityQuery } from './availability.schema.ts';
import { findSlots, type SlotRecord } from './find-availability.ts';

/**
 * Returns the slots that an appointment can be moved to, its own time included, of as many days as the
 * rate limit granted. An appointment whose type was deleted has none.
 */
export async function findSlotsOfMove(
  view: View,
  appointmentId: string,
  dates: Pick<AvailabilityQuery, 'date' | 'endDate'>,
  granted: number,
): Promise<SlotRecord[]> {
  assertRange(dates);
  const offer = await findOfferOf(view, appointmentId);
  const { date: from } = dates;
  const to = dateAfter(from, Math.min(daysIn(dates), granted) - 1);
  return offer ? findSlots(view, offer, { from, to, except: appointmentId }) : [];
}
