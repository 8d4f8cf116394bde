import type { View } from '#core/work.ts';
import { resolveOffer } from '../../calendars/resolve-offer.ts';
import { DAYS_MAX, type AvailabilityQuery } from '../availability/availability-query.ts';

const DAY_MINUTES = 24 * 60;
/** A month on a grid of five minutes. */
const STARTS_MAX = 10_000;

/**
 * Returns how many days one public response covers: the whole range, unless the grid is so fine that
 * a month would take half a second to compute and 10 MB to send.
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
