import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, OfferedTime, Schedule } from '../schedule.ts';
import type { Grid } from './grid.ts';
import {
  type RequestTime,
  type Offering,
  isFull,
  isTakeable,
  offeringOf,
  seatsAt,
  timeRefusal,
} from './slot-rules.ts';
import { membersAt, openingsOf, type Opening } from './openings.ts';
import { dateOf, dayAt, dayOf, instantAt, zoneAround } from './zone.ts';

interface SlotsQuery extends RequestTime {
  /** The first and the last local date. */
  readonly from: string;
  readonly to: string;
  /** The earliest and the latest start, in epoch milliseconds. */
  readonly earliest?: number;
  readonly latest?: number;
  /** How many are searched. */
  readonly count?: number;
}

/** Returns every time of some dates that can be booked now, in order: exactly those that `judgeSlot` accepts. */
export const slotsOf = (...query: Parameters<typeof searchSlots>): OfferedTime[] =>
  [...searchSlots(...query)].filter((found) => found !== undefined);

/**
 * Yields each start of these dates, as what is offered or undefined, in order and lazily: for a large
 * calendar a month is millions of comparisons, and a search stops after a few starts.
 */
export function* searchSlots(
  schedule: Schedule,
  type: BookableType,
  busy: BusyTimes,
  { from, to, earliest = -Infinity, latest = Infinity, count = Infinity, ...request }: SlotsQuery,
): Generator<OfferedTime | undefined> {
  const offering = offeringOf(schedule, type, busy);
  const last = dayOf(to);
  let left = count;
  for (let day = dayOf(from); day <= last; day += 1) {
    const date = dateOf(day);
    for (const [start, onDuty] of startsOn(offering, day)) {
      if (start > latest || left === 0) {
        return;
      }
      const isRefused = start < earliest || timeRefusal(schedule, start, request);
      const found = isRefused ? undefined : offeredAt(offering, start, { date, onDuty });
      left -= Number(found !== undefined);
      yield found;
    }
    // Days without starts take time, too.
    yield undefined;
  }
}

interface Duty {
  /** The local date of the start. */
  readonly date: string;
  readonly onDuty: ReadonlySet<string>;
}

function offeredAt(
  offering: Offering,
  start: number,
  { date, onDuty }: Duty,
): OfferedTime | undefined {
  const seatsRemaining = seatsAt(offering, start);
  return isTakeable(offering, start, onDuty, seatsRemaining)
    ? { start, end: start + offering.grid.length, date, seatsRemaining }
    : undefined;
}

/** Yields the starts of a date, in order, with the members on duty who could take them. */
function* startsOn(
  offering: Offering,
  day: number,
): Generator<readonly [number, ReadonlySet<string>]> {
  const { schedule, grid } = offering;
  const { kind, only, timezone } = schedule;
  const zone = zoneAround(timezone, day * DAY_MS);
  const openings = openingsOf(schedule, zone, day);
  if (typeof openings === 'string' || isFull(offering, dateOf(day))) {
    return;
  }
  const able =
    only === undefined || kind === 'collective'
      ? openings
      : openings.filter(({ memberIds }) => memberIds.has(only));
  for (const [start, here] of startsOf(able, grid)) {
    if (dayAt(zone, start) === day) {
      yield [start, here];
    }
  }
}

/** The starts of one stretch that are still to come. */
interface StartsAhead {
  next: number;
  readonly last: number;
  readonly opening: Opening;
}

/** Yields every start of some openings, in order, with the members on duty. */
function* startsOf(
  openings: readonly Opening[],
  { length, step }: Grid,
): Generator<readonly [number, ReadonlySet<string>]> {
  const ahead = openings
    .flatMap((opening) =>
      opening.stretches.map(({ start, end }): StartsAhead => ({
        next: start,
        last: end - length,
        opening,
      })),
    )
    .filter(({ next, last }) => next <= last)
    .sort((one, other) => one.next - other.next);
  let running: StartsAhead[] = [];
  let begun = 0;
  let before: readonly Opening[] = [];
  let onDuty: ReadonlySet<string> = new Set();
  for (let start = ahead[0]?.next ?? Infinity; start < Infinity;) {
    for (let one = ahead[begun]; one?.next === start; one = ahead[begun]) {
      running.push(one);
      begun += 1;
    }
    const here = running.filter(({ next }) => next === start).map(({ opening }) => opening);
    // Neighbouring starts mostly have the same members, perhaps hundreds.
    onDuty = isSame(here, before) ? onDuty : membersAt(here);
    before = here;
    yield [start, onDuty];
    let following = ahead[begun]?.next ?? Infinity;
    let isEnding = false;
    for (const one of running) {
      one.next += one.next === start ? step : 0;
      isEnding ||= one.next > one.last;
      following = one.next > one.last ? following : Math.min(following, one.next);
    }
    running = isEnding ? running.filter(({ next, last }) => next <= last) : running;
    start = following;
  }
}

const isSame = (some: readonly Opening[], others: readonly Opening[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** Returns the time from the first to the last of some local dates, its end excluded. */
export function daysOf(
  timezone: string,
  { from, to }: Pick<SlotsQuery, 'from' | 'to'>,
): { readonly from: number; readonly until: number } {
  const startOf = (date: string, after = 0) =>
    instantAt(zoneAround(timezone, Date.parse(date)), dayOf(date) + after, 0);
  return { from: startOf(from), until: startOf(to, 1) };
}

/** Returns the window, its end excluded, whose blocks can matter to slots of these dates. */
export function blockWindow(
  schedule: Schedule,
  type: BookableType,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly from: number; readonly until: number } {
  const firstDay = dayOf(from);
  const zone = zoneAround(schedule.timezone, firstDay * DAY_MS);
  const until =
    instantAt(zone, dayOf(to) + 1, 0) + (type.duration + schedule.bufferAfter) * MINUTE_MS;
  return { from: instantAt(zone, firstDay, 0) - schedule.bufferBefore * MINUTE_MS, until };
}
