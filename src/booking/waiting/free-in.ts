import type { View } from '#core/work.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { OfferedTime, Slot } from '../../calendars/schedule.ts';
import { searchSlots } from '../../calendars/slots/slots-of.ts';
import { dayOf, instantAt, localDate, zoneAround } from '../../calendars/slots/zone.ts';
import { judgeSlot } from '../../calendars/slots/judge-slot.ts';
import { loadBusyTimes, NO_BUSY_TIMES } from '../availability/busy-times.ts';
import { conflictQuery } from '../availability/slot-lookup.ts';
import { collectSlots } from '../availability/collect-slots.ts';
import { findFree } from '../availability/find-availability.ts';

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
export async function freeIn(view: View, offer: Offer, span: Span): Promise<OfferedTime[]> {
  return (await findFree(view, offer, datesOf(offer, span))).filter(startsIn(span));
}

/** Returns the slot of a time, with the members who can take it, or undefined if it is taken. */
export async function slotAt(
  { subAccountId, now, rows }: View,
  offer: Offer,
  { start, end }: OfferedTime,
): Promise<Slot | undefined> {
  const query = conflictQuery(offer, { startTime: start, endTime: end });
  const busy = await loadBusyTimes(rows, subAccountId, query);
  const { calendar, type } = offer;
  const times = { start, end, now: now.getTime() };
  const judged = judgeSlot(calendar.schedule, type, busy, times);
  return typeof judged === 'string' ? undefined : judged;
}

/** Returns the slots that a type would have within a span if nothing were booked. */
export async function offeredIn(
  { subAccountId, now }: View,
  { calendar, type }: Offer,
  span: Span,
): Promise<OfferedTime[]> {
  const query = { ...datesOf({ calendar }, span), now: now.getTime() };
  const search = searchSlots(calendar.schedule, type, NO_BUSY_TIMES, query);
  const slots = await collectSlots(subAccountId, search);
  return slots.filter(startsIn(span));
}

const datesOf = ({ calendar: { timezone } }: Pick<Offer, 'calendar'>, { from, until }: Span) => ({
  from: localDate(timezone, from),
  to: localDate(timezone, until - 1),
});

const startsIn =
  ({ from, until }: Span) =>
  ({ start }: OfferedTime): boolean =>
    start >= from && start < until;
