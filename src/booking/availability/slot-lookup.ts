import { boundedCache } from '#lib/bounded-cache.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/offers.ts';
import { lastStart } from '../../calendars/slots/slot-rules.ts';
import { dayAt, instantAt, zoneAround } from '../../calendars/slots/zone.ts';
import type { SlotTimes } from '../appointments/appointment.schema.ts';
import { NEAR_MS, searchOf, type Search } from './alternatives.ts';
import { bookingValues, type BookingValues, type BusyTimesQuery } from './busy-times.ts';

export interface RequestedTimes extends SlotTimes {
  /** The appointment that is being moved: its own time is no conflict. */
  readonly except?: string;
  /** Its start. */
  readonly current?: number;
}

/** What is read before a slot is booked. */
export interface SlotLookup {
  readonly values: BookingValues;
  /** The local day on which the slot starts. */
  readonly day: BusyTimesQuery['days'];
  /** The search for alternatives on the day after its start. */
  readonly near: Search | undefined;
}

/** Slots of a type that many customers want at the same time. */
const SLOTS_MAX = 100;

/** A change of a calendar replaces its types, and thereby what is remembered of their slots. */
const lookups = new WeakMap<Offer['type'], ReturnType<typeof boundedCache<SlotLookup>>>();

/**
 * Returns what to read for a slot of the offer's sub-account. Requests for the same slot share it (bench
 * scenario `book-hot-slot`). Of a start that can be booked now, only the end of the search depends on the
 * time of the request: later starts are neither past nor too soon.
 */
export function lookupOf(
  subAccountId: string,
  offer: Offer,
  requested: RequestedTimes,
  now: number,
): SlotLookup {
  const { calendar, type } = offer;
  const { startTime, endTime, except } = requested;
  const remembered = lookups.get(type) ?? boundedCache<SlotLookup>(SLOTS_MAX);
  lookups.set(type, remembered);
  const last = Math.min(startTime + NEAR_MS, lastStart(calendar.schedule, now));
  return remembered(`${startTime} ${endTime} ${last} ${except}`, () => {
    const query = conflictQuery(offer, requested);
    const near = searchOf(calendar.schedule, type, { startTime, now, ahead: NEAR_MS });
    const values = bookingValues(subAccountId, query, near ?? query);
    return { values, day: query.days, near };
  });
}

/** Returns what to read to know everything booked that can conflict with one slot. */
export function conflictQuery(
  { calendar: { id: calendarId, schedule }, type }: Offer,
  { startTime, endTime, except }: RequestedTimes,
): BusyTimesQuery {
  const zone = zoneAround(schedule.timezone, startTime);
  const date = dayAt(zone, startTime);
  const days = { from: instantAt(zone, date, 0), until: instantAt(zone, date + 1, 0) };
  const window = blockedTime(schedule, startTime, endTime);
  return { calendarId, schedule, type, window, days, except };
}

/** A slot's time with the calendar's buffers around it. */
export const blockedTime = (
  { bufferBefore, bufferAfter }: Offer['calendar']['schedule'],
  start: number,
  end: number,
) => ({ from: start - bufferBefore * MINUTE_MS, until: end + bufferAfter * MINUTE_MS });
