import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, Schedule, Slot } from '../schedule.ts';
import { startsIn, type Grid } from './grid.ts';
import { type Offering, isFull, offeringOf, takersAt, timeRefusal } from './offering.ts';
import { membersAt, openingsOf, type Opening } from './openings.ts';
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
