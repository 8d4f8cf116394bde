import type { View } from '#kit/work.ts';
import { resolveOffer } from '../calendars/resolve-offer.ts';
import { DAYS_MAX, type AvailabilityQuery } from './availability-query.ts';

const DAY_MINUTES = 24 * 60;
/** A month on a grid of five minutes. */
const STARTS_MAX = 10_000;

/**
 * The days that a visitor, whose questions nobody counts, is answered at once: all of a range, unless
 * the grid is so fine that a month of it would be work for half a second and an answer of 10 MB.
 */
export async function publicDays(view: View, query: AvailabilityQuery): Promise<number> {
  const offer = await resolveOffer(view, query);
  if (!offer) {
    return DAYS_MAX;
  }
  const { calendar, type } = offer;
  const startsPerDay = Math.ceil(DAY_MINUTES / (calendar.slotInterval ?? type.duration));
  return Math.min(DAYS_MAX, Math.floor(STARTS_MAX / startsPerDay));
}
