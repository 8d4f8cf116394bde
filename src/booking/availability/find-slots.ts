import type { View } from '#core/work.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import type { Slot } from '../../calendars/schedule.ts';
import { dayOf } from '../../calendars/slots/local-days.ts';
import { reachOf } from '../../calendars/slots/reach-of.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import { slotsOf } from '../../calendars/slots/slots-of.ts';
import { instantAt, localDate, zoneAround } from '../../calendars/slots/zone.ts';
import { BUSY_TIMES, takenOf, takenValues, type TakenRow } from './busy-times.ts';

interface Dates {
  readonly from: string;
  readonly to: string;
  /** The appointment that is to be moved, which is in nobody's way. */
  readonly except?: string;
}

/** What availability answers of a slot (spec "Availability slot"). */
export interface ShownSlot {
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

/** Every slot of some dates that could be booked at this moment, in order. */
export async function findSlots(view: View, offer: Offer, dates: Dates): Promise<ShownSlot[]> {
  const slots = await findFree(view, offer, dates);
  return slots.map((slot) => shownSlot(offer.calendar, slot));
}

/** The same for pages, which say them in their own way: to say a slot takes longer than to find it. */
export async function findFree(
  view: View,
  { calendar, type }: Offer,
  dates: Dates,
): Promise<Slot[]> {
  const { id: calendarId, schedule } = calendar;
  const reach = reachOf(schedule, type, dates);
  const days = daysOf(schedule.timezone, dates);
  const wanted = { calendarId, schedule, type, reach, days, except: dates.except };
  const [found = EMPTY] = await view.rows<TakenRow>(FIND, takenValues(view.subAccountId, wanted));
  const taken = takenOf(found, (start) => localDate(schedule.timezone, start));
  return slotsOf(schedule, type, taken, { ...dates, now: view.now.getTime() });
}

const FIND = `select ${BUSY_TIMES}`;
const EMPTY: TakenRow = { blocks: [], busy: [], starts: [] };

function daysOf(timezone: string, { from, to }: Dates) {
  const startOf = (date: string, after = 0) => {
    const day = dayOf(date) + after;
    return instantAt(zoneAround(timezone, Date.parse(date)), day, 0);
  };
  return { from: startOf(from), until: startOf(to, 1) };
}

function shownSlot(
  { timezone, locale, showSeats }: Offer['calendar'],
  { start, end, date, seatsRemaining }: Slot,
): ShownSlot {
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
