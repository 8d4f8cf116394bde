import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { dateAfter } from '../availability/availability-query.ts';
import { findFree } from '../availability/find-slots.ts';
import { isMonth, monthAfter, monthOf, type Choice } from './choice.ts';

/** How far ahead a calendar without a limit is shown. */
const AHEAD_DAYS = 365;
/** How many months are looked through for the first free time of somebody who chose none. */
const LOOKED_THROUGH = 3;

export interface PickedTime {
  readonly startTime: number;
  readonly endTime: number;
  /** Of a class whose calendar shows them. */
  readonly seatsRemaining: number | undefined;
}

/** What can be picked in one month, as the days of the visitor's zone have it. */
export interface Picks {
  readonly zone: string;
  readonly today: string;
  readonly month: string;
  readonly firstMonth: string;
  readonly lastMonth: string;
  /** Only those that have any. */
  readonly days: ReadonlyMap<string, readonly PickedTime[]>;
  /** The day whose times are shown. */
  readonly date: string | undefined;
}

interface FindPicksInput {
  readonly choice: Choice;
  readonly zone: string;
  /** The appointment that is to be moved. */
  readonly except?: string;
}

export async function findPicks(
  view: View,
  offer: Offer,
  { choice, zone, except }: FindPicksInput,
): Promise<Picks> {
  const now = view.now.getTime();
  const today = localDate(zone, now);
  const firstMonth = monthOf(today);
  const ahead = offer.calendar.maximumAdvance ?? AHEAD_DAYS;
  const lastMonth = monthOf(localDate(zone, now + ahead * DAY_MS));
  const wanted = choice.month ?? (choice.date && monthOf(choice.date));
  const daysOf = async (month: string) => {
    const days = await findDays(view, offer, { month, zone, except });
    const isThere = choice.date !== undefined && days.has(choice.date);
    const date = isThere ? choice.date : days.keys().next().value;
    return { zone, today, month, firstMonth, lastMonth, days, date };
  };
  if (isMonth(wanted)) {
    return daysOf(wanted < firstMonth ? firstMonth : wanted > lastMonth ? lastMonth : wanted);
  }
  const first = await daysOf(firstMonth);
  let picks = first;
  for (let at = 1; at < LOOKED_THROUGH && picks.days.size === 0; at += 1) {
    const month = monthAfter(firstMonth, at);
    if (month > lastMonth) {
      break;
    }
    picks = await daysOf(month);
  }
  return picks.days.size === 0 ? first : picks;
}

/** Zones lie up to a day apart, so that a month of one needs a day more at either end of another's. */
async function findDays(
  view: View,
  offer: Offer,
  { month, zone, except }: { month: string; zone: string; except: string | undefined },
): Promise<ReadonlyMap<string, PickedTime[]>> {
  const from = dateAfter(`${month}-01`, -1);
  const to = `${monthAfter(month, 1)}-01`;
  const slots = await findFree(view, offer, { from, to, ...(except && { except }) });
  const { showSeats } = offer.calendar;
  const times = slots.map(({ start: startTime, end: endTime, seatsRemaining }) => {
    return {
      startTime,
      endTime,
      seatsRemaining: showSeats ? (seatsRemaining ?? undefined) : undefined,
    };
  });
  const days = Map.groupBy(times, ({ startTime }) => localDate(zone, startTime));
  for (const date of days.keys()) {
    if (monthOf(date) !== month) {
      days.delete(date);
    }
  }
  return days;
}

/** The slot that starts then, if it can still be had. */
export const pickedSlot = ({ days }: Picks, start: number | undefined): PickedTime | undefined =>
  [...days.values()].flat().find(({ startTime }) => startTime === start);
