import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, Schedule, Slot } from '../schedule.ts';
import { startsIn, type Grid } from './grid.ts';
import {
  type RequestTime,
  type Offering,
  isFull,
  offeringOf,
  takersAt,
  timeRefusal,
} from './slot-rules.ts';
import { membersAt, openingsOf, type Opening } from './openings.ts';
import { dateOf, dayAt, dayOf, instantAt, zoneAround } from './zone.ts';

interface SlotsQuery extends RequestTime {
  /** The first and the last local date. */
  readonly from: string;
  readonly to: string;
}

/** Returns every slot of some dates that can be booked now, in order: exactly those that `judgeSlot` accepts. */
export const slotsOf = (...query: Parameters<typeof slotsByDay>): Slot[] =>
  [...slotsByDay(...query)].flat();

/** Yields the slots of each of these dates. */
export function* slotsByDay(
  schedule: Schedule,
  type: BookableType,
  busy: BusyTimes,
  { from, to, ...asked }: SlotsQuery,
): Generator<readonly Slot[]> {
  const offering = offeringOf(schedule, type, busy);
  const last = dayOf(to);
  for (let day = dayOf(from); day <= last; day += 1) {
    yield [...slotsOfDay(offering, day, asked)];
  }
}

interface FirstSlotsQuery extends SlotsQuery {
  /** The earliest and the latest start. */
  readonly starts: { readonly from: number; readonly until: number };
  readonly count: number;
}

/** Returns the first slots of some dates with a start in a span. Days after the last slot cost nothing. */
export function firstSlots(
  schedule: Schedule,
  type: BookableType,
  busy: BusyTimes,
  { from, to, now, starts, count }: FirstSlotsQuery,
): Slot[] {
  const offering = offeringOf(schedule, type, busy);
  const last = dayOf(to);
  const found: Slot[] = [];
  for (let day = dayOf(from); day <= last; day += 1) {
    for (const slot of slotsOfDay(offering, day, { now }, starts.from)) {
      if (slot.start > starts.until || found.length === count) {
        return found;
      }
      found.push(slot);
    }
  }
  return found;
}

/** Yields the slots of a day in order, lazily: a search stops after a few. */
function* slotsOfDay(
  offering: Offering,
  day: number,
  asked: RequestTime,
  earliest = -Infinity,
): Generator<Slot> {
  const { schedule, grid } = offering;
  const date = dateOf(day);
  const zone = zoneAround(schedule.timezone, day * DAY_MS);
  const openings = openingsOf(schedule, zone, day);
  if (typeof openings === 'string' || isFull(offering, date)) {
    return;
  }
  for (const [start, onDuty] of startsOf(openings, grid)) {
    const isOfDay =
      start >= earliest && dayAt(zone, start) === day && !timeRefusal(schedule, start, asked);
    const takers = isOfDay && takersAt(offering, start, onDuty);
    if (takers) {
      yield { start, end: start + grid.length, date, ...takers };
    }
  }
}

/** Returns every start of some openings, in order, with the members on duty. */
function startsOf(
  openings: readonly Opening[],
  grid: Grid,
): (readonly [number, ReadonlySet<string>])[] {
  const pairs = openings.flatMap((opening) =>
    opening.stretches.flatMap((stretch) =>
      startsIn(stretch, grid).map((start) => ({ start, opening })),
    ),
  );
  const starts = Map.groupBy(pairs, ({ start }) => start);
  return [...starts]
    .map(([start, here]) => [start, membersAt(here.map(({ opening }) => opening))] as const)
    .sort(([one], [other]) => one - other);
}

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
