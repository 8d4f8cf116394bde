import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/offers.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { dateAfter } from '../availability/availability.schema.ts';
import { dayIn, offeredIn } from '../waiting/free-in.ts';
import { findFree } from '../availability/find-availability.ts';
import { FOLLOWING_DAYS, isEnding, isMonth, monthAfter, monthOf, type Choice } from './choice.ts';

/** How far ahead times are shown for a calendar without a limit. */
const AHEAD_DAYS = 365;
/** How many months are searched for the first free time. */
const SEARCHED_MONTHS = 3;

export interface PickedTime {
  readonly startTime: number;
  readonly endTime: number;
  /** Undefined unless the calendar is a class and shows seats. */
  readonly seatsRemaining: number | undefined;
}

/** The free times of one month, by day in the visitor's time zone. */
export interface Picks {
  readonly zone: string;
  readonly today: string;
  readonly month: string;
  readonly firstMonth: string;
  readonly lastMonth: string;
  /** Only days with free times. */
  readonly days: ReadonlyMap<string, readonly PickedTime[]>;
  /** Days that would have times if nothing were booked; empty without a waiting list. */
  readonly fullDays: ReadonlySet<string>;
  /** The day whose times are shown. */
  readonly date: string | undefined;
  /** The next day with free times, if the chosen month has none. */
  readonly nextDate?: string;
  /** The first weeks of the next month, shown below a month that is about to end. */
  readonly following?: Pick<Picks, 'days' | 'fullDays'>;
}

interface FindPicksInput {
  readonly choice: Choice;
  readonly zone: string;
  /** The appointment that is to be moved. */
  readonly except?: string;
}

/** Returns the free times of the chosen month, else of the first month that has any. */
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
  const requested = choice.month ?? (choice.date && monthOf(choice.date));
  const search = async (month: string, until?: string) => {
    const days = await findDays(view, offer, { month, until, zone, except });
    const fullDays =
      except === undefined ? await fullDaysOf(view, offer, { month, zone, days }) : NO_DAYS;
    return { days, fullDays };
  };
  const daysOf = async (month: string): Promise<Picks> => {
    const { days, fullDays } = await search(month);
    const { date: wanted = '' } = choice;
    const date = days.has(wanted) || fullDays.has(wanted) ? wanted : days.keys().next().value;
    const next = monthAfter(month, 1);
    const isFollowed = isEnding(month, today) && next <= lastMonth;
    const following = isFollowed && (await search(next, `${next}-${FOLLOWING_DAYS + 1}`));
    const shown = { zone, today, month, firstMonth, lastMonth, days, fullDays, date };
    return { ...shown, ...(following && { following }) };
  };
  if (isMonth(requested)) {
    const isPast = requested < firstMonth;
    const chosen = await daysOf(
      isPast ? firstMonth : requested > lastMonth ? lastMonth : requested,
    );
    const nextDate =
      chosen.days.size === 0 ? (await firstWithDays(chosen, daysOf))?.date : undefined;
    return { ...chosen, ...(nextDate !== undefined && { nextDate }) };
  }
  const first = await daysOf(firstMonth);
  return first.days.size > 0 ? first : ((await firstWithDays(first, daysOf)) ?? first);
}

/** Returns the first of the next months that has free times. */
async function firstWithDays(
  { month, lastMonth }: Picks,
  daysOf: (month: string) => Promise<Picks>,
): Promise<Picks | undefined> {
  for (let at = 1; at < SEARCHED_MONTHS; at += 1) {
    const next = monthAfter(month, at);
    const picks = next > lastMonth ? undefined : await daysOf(next);
    if (picks === undefined || picks.days.size > 0) {
      return picks;
    }
  }
  return undefined;
}

const NO_DAYS: ReadonlySet<string> = new Set();

interface FullDaysQuery {
  readonly month: string;
  readonly zone: string;
  readonly days: ReadonlyMap<string, unknown>;
}

/** Returns the days of a month on which everything is booked, if visitors can wait for them. */
async function fullDaysOf(
  view: View,
  offer: Offer,
  { month, zone, days }: FullDaysQuery,
): Promise<ReadonlySet<string>> {
  if (offer.calendar.waitingListMinutes === null) {
    return NO_DAYS;
  }
  const span = {
    from: dayIn(zone, `${month}-01`).from,
    until: dayIn(zone, `${monthAfter(month, 1)}-01`).from,
  };
  const offered = await offeredIn(view, offer, span);
  const dates = offered.map(({ start }) => localDate(zone, start));
  return new Set(dates.filter((date) => !days.has(date)));
}

interface FindDaysQuery {
  readonly month: string;
  /** The last day that is searched; the day after the month if absent. */
  readonly until: string | undefined;
  readonly zone: string;
  readonly except: string | undefined;
}

/** Searches an extra day at both ends: time zones lie up to a day apart. */
async function findDays(
  view: View,
  offer: Offer,
  { month, until = `${monthAfter(month, 1)}-01`, zone, except }: FindDaysQuery,
): Promise<ReadonlyMap<string, PickedTime[]>> {
  const from = dateAfter(`${month}-01`, -1);
  const slots = await findFree(view, offer, { from, to: until, ...(except && { except }) });
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

/** Returns the time with this start if it is still free. */
export const pickedSlot = ({ days }: Picks, start: number | undefined): PickedTime | undefined =>
  [...days.values()].flat().find(({ startTime }) => startTime === start);
