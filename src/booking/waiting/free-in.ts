import type { View } from '#core/work.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { Slot } from '../../calendars/schedule.ts';
import { dayOf, instantAt, localDate, zoneAround } from '../../calendars/slots/zone.ts';
import { NO_BUSY_TIMES } from '../availability/busy-times.ts';
import { collectSlots, findFree } from '../availability/find-availability.ts';

/** Epoch milliseconds; the end is not included. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Returns the first instant of a local date, and the one after the last. */
export function dayIn(zone: string, date: string): Span {
  const around = zoneAround(zone, Date.parse(`${date}T12:00:00Z`));
  const day = dayOf(date);
  return { from: instantAt(around, day, 0), until: instantAt(around, day + 1, 0) };
}

/** Returns the free slots of a type that start within a span. */
export async function freeIn(view: View, offer: Offer, span: Span): Promise<Slot[]> {
  return (await findFree(view, offer, datesOf(offer, span))).filter(startsIn(span));
}

/** Returns the slots that a type would have within a span if nothing were booked. */
export async function offeredIn(
  { calendar, type }: Offer,
  span: Span,
  now: number,
): Promise<Slot[]> {
  const dates = { ...datesOf({ calendar }, span), now };
  const slots = await collectSlots(calendar.schedule, type, NO_BUSY_TIMES, dates);
  return slots.filter(startsIn(span));
}

const datesOf = ({ calendar: { timezone } }: Pick<Offer, 'calendar'>, { from, until }: Span) => ({
  from: localDate(timezone, from),
  to: localDate(timezone, until - 1),
});

const startsIn =
  ({ from, until }: Span) =>
  ({ start }: Slot): boolean =>
    start >= from && start < until;
