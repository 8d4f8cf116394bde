import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, Schedule } from '../../calendars/schedule.ts';
import { lastStart } from '../../calendars/slots/slot-rules.ts';
import { daysOf, searchSlots } from '../../calendars/slots/slots-of.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { oncePerRead } from './busy-times.ts';
import { collectSlots } from './collect-slots.ts';

export const ALTERNATIVES_MAX = 3;
/** How far ahead alternatives are searched. */
export const AHEAD_MS = 31 * DAY_MS;
/** How far the read of a booking looks: almost every taken slot has alternatives within a day. */
export const NEAR_MS = DAY_MS;

/** A free start that is offered instead of a refused one, in epoch milliseconds. */
export interface Alternative {
  readonly startTime: number;
  readonly endTime: number;
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** The starts that are searched, and what must be read for it. */
export interface Search {
  /** The first and the last start. */
  readonly starts: Span;
  readonly now: number;
  /** The first and the last local date. */
  readonly from: string;
  readonly to: string;
  /** The time whose blocks matter. */
  readonly window: Span;
  /** The whole local days whose bookings count towards `maxPerDay`. */
  readonly days: Span;
}

interface SearchQuery {
  readonly startTime: number;
  readonly now: number;
  readonly ahead: number;
}

/** Returns what is searched for alternatives to a start, or undefined if nothing can be booked then. */
export function searchOf(
  schedule: Schedule,
  type: BookableType,
  { startTime, now, ahead }: SearchQuery,
): Search | undefined {
  const first = Math.max(startTime, now);
  const last = Math.min(first + ahead, lastStart(schedule, now));
  if (last < first) {
    return undefined;
  }
  const { timezone, bufferBefore, bufferAfter } = schedule;
  const dates = { from: localDate(timezone, first), to: localDate(timezone, last) };
  return {
    ...dates,
    starts: { from: first, until: last },
    now,
    window: {
      from: first - bufferBefore * MINUTE_MS,
      until: last + (type.duration + bufferAfter) * MINUTE_MS,
    },
    days: daysOf(timezone, dates),
  };
}

interface Bookable {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly busy: BusyTimes;
  /** A start that the customer has already. */
  readonly current: number | undefined;
}

const alternatives = new WeakMap<BusyTimes, Map<string, Promise<readonly Alternative[]>>>();

/** Returns the first free starts of a search. Concurrent refusals of one slot share them. */
export const freeFrom = (
  subAccountId: string,
  bookable: Bookable,
  search: Search,
): Promise<readonly Alternative[]> =>
  oncePerRead(
    alternatives,
    bookable.busy,
    `${bookable.type.id} ${search.starts.from} ${bookable.current} ${bookable.schedule.only}`,
    () => findFree(subAccountId, bookable, search),
  );

async function findFree(
  subAccountId: string,
  { schedule, type, busy, current }: Bookable,
  { starts, ...dates }: Search,
): Promise<readonly Alternative[]> {
  const query = {
    ...dates,
    earliest: starts.from,
    latest: starts.until,
    count: ALTERNATIVES_MAX + 1,
  };
  const free = await collectSlots(subAccountId, searchSlots(schedule, type, busy, query));
  return free
    .filter(({ start }) => start !== current)
    .slice(0, ALTERNATIVES_MAX)
    .map(({ start, end }) => ({ startTime: start, endTime: end }));
}
