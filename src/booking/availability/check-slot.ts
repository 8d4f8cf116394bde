import { MINUTE_MS } from '#lib/duration.ts';
import type { View, Work } from '#core/work.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import type { BusyTimes, Slot } from '../../calendars/schedule.ts';
import { judgeSlot } from '../../calendars/slots/slots-of.ts';
import { dayAt, instantAt, zoneAround } from '../../calendars/slots/zone.ts';
import type { SlotTimes } from '../appointments/appointment.schema.ts';
import { bookingRefusal } from '../appointments/booking-refusal.ts';
import { loadBusyTimes, NO_BUSY_TIMES } from './busy-times.ts';

interface RequestedTimes extends SlotTimes {
  /** The appointment that is being moved: its own time is no conflict. */
  readonly except?: string;
}

/** A slot that was free when it was checked. */
export interface FreeSlot {
  readonly slot: Slot;
  /** The slot as JSON of the SQL type `slot_wish`, by which the writing statement checks it again. */
  readonly request: string;
}

/** Returns the slot with these times. Throws a Fault with the first reason against booking it. */
export async function checkSlot(
  work: Work,
  offer: Offer,
  requested: RequestedTimes,
): Promise<FreeSlot> {
  const { calendar, type } = offer;
  const { startTime: start, endTime: end } = requested;
  const times = { start, end, now: work.now.getTime() };
  // Opening hours, notice and duration need no query, so they are checked first.
  const unbooked = judgeSlot(calendar.schedule, type, NO_BUSY_TIMES, times);
  if (typeof unbooked === 'string' && unbooked !== 'slot_unavailable') {
    throw bookingRefusal(unbooked);
  }
  // Concurrent requests for one slot share the statement.
  const conflicts = await loadConflicts(work.readOutside, work.subAccountId, offer, requested);
  const slot = judgeSlot(calendar.schedule, type, conflicts.busy, times);
  if (typeof slot === 'string') {
    throw bookingRefusal(slot);
  }
  return { slot, request: slotRequest(work, offer, slot, conflicts.day) };
}

interface Conflicts {
  readonly busy: BusyTimes;
  /** The local day on which the slot starts. */
  readonly day: { readonly from: number; readonly until: number };
}

/** Returns everything booked that can conflict with one slot. */
export async function loadConflicts(
  rows: View['rows'],
  subAccountId: string,
  { calendar: { id: calendarId, schedule }, type }: Offer,
  { startTime, endTime, except }: RequestedTimes,
): Promise<Conflicts> {
  const zone = zoneAround(schedule.timezone, startTime);
  const date = dayAt(zone, startTime);
  const day = { from: instantAt(zone, date, 0), until: instantAt(zone, date + 1, 0) };
  const window = blockedTime(schedule, startTime, endTime);
  const query = { calendarId, schedule, type, window, days: day, except };
  return { busy: await loadBusyTimes(rows, subAccountId, query), day };
}

function slotRequest(
  { now }: Work,
  { calendar: { schedule }, type }: Offer,
  slot: Slot,
  day: Conflicts['day'],
): string {
  const at = (ms: number) => new Date(ms).toISOString();
  const blocked = blockedTime(schedule, slot.start, slot.end);
  return JSON.stringify({
    kind: schedule.kind,
    wanted: slot.memberIds,
    blocked_from: at(blocked.from),
    blocked_until: at(blocked.until),
    seats: type.seats ?? 1,
    day_from: at(day.from),
    day_until: at(day.until),
    max_per_day: schedule.maxPerDay,
    asked_at: now.toISOString(),
  });
}

/** A slot's time with the calendar's buffers around it. */
const blockedTime = (
  { bufferBefore, bufferAfter }: Offer['calendar']['schedule'],
  start: number,
  end: number,
) => ({ from: start - bufferBefore * MINUTE_MS, until: end + bufferAfter * MINUTE_MS });
