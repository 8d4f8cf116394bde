import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, Refusal, Schedule, Slot } from '../schedule.ts';
import { isFull, offeringOf, takersAt, type Offering } from './offering.ts';
import {
  contains,
  isOnGrid,
  membersAt,
  openingsOf,
  startsIn,
  type Grid,
  type Opening,
} from './openings.ts';
import { dateOf, dayAt, dayOf, instantAt, zoneAround } from './zone.ts';

interface SlotsQuery {
  /** The first and the last local date. */
  readonly from: string;
  readonly to: string;
  readonly now: number;
}

/** Returns every slot of some dates that can be booked now, in order: exactly those that `judgeSlot` accepts. */
export function slotsOf(
  schedule: Schedule,
  type: BookableType,
  busy: BusyTimes,
  { from, to, now }: SlotsQuery,
): Slot[] {
  const offering = offeringOf(schedule, type, busy);
  const firstDay = dayOf(from);
  const days = Array.from({ length: dayOf(to) - firstDay + 1 }, (_, n) => firstDay + n);
  return days.flatMap((day) => slotsOfDay(offering, day, now));
}

function slotsOfDay(offering: Offering, day: number, now: number): Slot[] {
  const { schedule, grid } = offering;
  const date = dateOf(day);
  const zone = zoneAround(schedule.timezone, day * DAY_MS);
  const openings = openingsOf(schedule, zone, day);
  if (typeof openings === 'string' || isFull(offering, date)) {
    return [];
  }
  const slots: Slot[] = [];
  for (const [start, onDuty] of startsOf(openings, grid)) {
    const isOfDay = dayAt(zone, start) === day && !timeRefusal(schedule, start, now);
    const takers = isOfDay && takersAt(offering, start, onDuty);
    if (takers) {
      slots.push({ start, end: start + grid.length, date, ...takers });
    }
  }
  return slots;
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

export interface RequestedSlot {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

/** Returns the requested slot as `slotsOf` offers it, or the first reason against it. */
export function judgeSlot(
  schedule: Schedule,
  type: BookableType,
  busy: BusyTimes,
  { start, end, now }: RequestedSlot,
): Slot | Refusal {
  const offering = offeringOf(schedule, type, busy);
  const { grid } = offering;
  if (end - start !== grid.length) {
    return 'invalid_duration';
  }
  const refusal = timeRefusal(schedule, start, now);
  if (refusal) {
    return refusal;
  }
  const zone = zoneAround(schedule.timezone, start);
  const day = dayAt(zone, start);
  const openings = openingsOf(schedule, zone, day);
  if (typeof openings === 'string') {
    return openings;
  }
  const containing = openings.filter(({ stretches }) =>
    stretches.some((stretch) => contains(stretch, start, grid)),
  );
  if (containing.length === 0) {
    return 'outside_hours';
  }
  const date = dateOf(day);
  if (isFull(offering, date)) {
    return 'day_full';
  }
  const starting = containing.filter(({ stretches }) =>
    stretches.some((stretch) => contains(stretch, start, grid) && isOnGrid(stretch, start, grid)),
  );
  const takers = takersAt(offering, start, membersAt(starting));
  return takers ? { start, end, date, ...takers } : 'slot_unavailable';
}

/** The end of the year 9999: later dates need more than four digits. */
const LAST_START = Date.UTC(9999, 11, 30);

/** Returns why a start is too early or too late to be booked now, if it is. */
function timeRefusal(
  { minimumNotice, maximumAdvance }: Schedule,
  start: number,
  now: number,
): Refusal | undefined {
  if (start < now) {
    return 'slot_in_past';
  }
  if (start < now + minimumNotice * MINUTE_MS) {
    return 'too_soon';
  }
  const last = maximumAdvance === null ? LAST_START : now + maximumAdvance * DAY_MS;
  return start > Math.min(last, LAST_START) ? 'too_far_ahead' : undefined;
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
