import type { Reply } from '#core/endpoint/reply.ts';
import type { View } from '#core/work.ts';
import { inSlices } from '#lib/in-slices.ts';
import {
  allOffers,
  offerWith,
  resolveOffer,
  whyUnresolved,
  type Offer,
} from '../../calendars/offers.ts';
import type { OfferedTime } from '../../calendars/schedule.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import { searchSlots } from '../../calendars/slots/slots-of.ts';
import {
  assertRange,
  dateAfter,
  daysIn,
  type KeyedAvailabilityQuery,
} from './availability.schema.ts';
import { busyParts } from './busy-parts.ts';
import { collectSlots } from './collect-slots.ts';
import { findOfferOf } from '../appointments/find-offer-of.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';

/**
 * Returns the free slots of a range of days, cut after as many whole days as the rate limit granted.
 * An unknown, foreign or inactive type has none, and `meta.appointmentTypeId` is null; a person who does
 * not work in its calendar has none either.
 */
export async function findAvailability(
  view: View,
  query: KeyedAvailabilityQuery,
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
    return { data: [], meta: { ...meta, unresolved: await whyUnresolved(view, query) } };
  }
  const to = dateAfter(date, daysReturned - 1);
  const given = offerWith(offer, query.assignedTo);
  return { data: await findSlots(view, given, { from: date, to }), meta };
}

/** Like `findAvailability`; a type without slots comes with the slugs of all active types. */
export async function findAvailabilityForKey(
  ...[view, query, granted]: Parameters<typeof findAvailability>
): Promise<Reply> {
  const reply = await findAvailability(view, query, granted);
  if (!reply.meta || !('unresolved' in reply.meta)) {
    return reply;
  }
  const offers = await allOffers(view);
  const slugs = offers.flatMap(({ type: { isActive, slug } }) => (isActive ? [slug] : []));
  return { ...reply, meta: { ...reply.meta, known: [...new Set(slugs)] } };
}

interface Dates {
  readonly from: string;
  /** The last date, included. */
  readonly to: string;
  /** The appointment that is being moved: its own time is no conflict. */
  readonly except?: string;
  /** Its start. */
  readonly current?: number;
}

/** A slot as the availability endpoints return it (spec "Availability slot"). */
export interface SlotRecord {
  readonly start: string;
  readonly end: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly date: string;
  readonly label: string;
  readonly timezone: string;
  readonly available: true;
  readonly seatsRemaining?: number;
}

/** Returns every slot of some dates that can be booked now, in order. */
export async function findSlots(view: View, offer: Offer, dates: Dates): Promise<SlotRecord[]> {
  const records: SlotRecord[] = [];
  await inSlices(view.subAccountId, await findFree(view, offer, dates), (slot) => {
    records.push(slotRecord(offer.calendar, slot));
  });
  return records;
}

/** Returns the slots unformatted, for pages: formatting a slot costs more than finding it. */
export async function findFree(
  view: View,
  { calendar, type }: Offer,
  { from, to, except, current }: Dates,
): Promise<OfferedTime[]> {
  const { id: calendarId, schedule } = calendar;
  const free: OfferedTime[] = [];
  const query = { calendarId, schedule, type, except, dates: { from, to } };
  for await (const { dates, busy } of busyParts(view, query)) {
    const search = searchSlots(schedule, type, busy, {
      ...dates,
      now: view.now.getTime(),
      current,
    });
    free.push(...(await collectSlots(view.subAccountId, search)));
  }
  return free;
}

function slotRecord(
  { timezone, locale, showSeats }: Offer['calendar'],
  { start, end, date, seatsRemaining }: OfferedTime,
): SlotRecord {
  return {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    startTime: start,
    endTime: end,
    date,
    label: slotLabel(start, timezone, locale),
    timezone,
    available: true,
    ...(showSeats && seatsRemaining !== null && { seatsRemaining }),
  };
}

/**
 * Returns the slots that an appointment can be moved to, its own time included, of as many days as the
 * rate limit granted; with `assignedTo`, only those that this member can take. An appointment whose type
 * was deleted has none.
 */
export async function findSlotsOfMove(
  view: View,
  appointmentId: string,
  dates: Pick<KeyedAvailabilityQuery, 'date' | 'endDate' | 'assignedTo'>,
  granted: number,
): Promise<SlotRecord[]> {
  assertRange(dates);
  const found = await findOfferOf(view, appointmentId);
  const { date: from } = dates;
  const to = dateAfter(from, Math.min(daysIn(dates), granted) - 1);
  if (!found) {
    return [];
  }
  const offer = offerWith(found.offer, dates.assignedTo);
  return findSlots(view, offer, { from, to, except: appointmentId, current: found.start });
}
