import { DAY_MS } from '#lib/duration.ts';
import type { BookableType, Schedule, Slot, BusyTimes } from '../schedule.ts';
import { startsIn, type Grid } from './grid.ts';
import { dateOf, dayOf } from './local-days.ts';
import { isFull, offerAt, offeringOf, type Offering } from './offering.ts';
import { membersAt, openingsOf, type Opening } from './openings-of.ts';
import { timeRefusal } from './time-refusal.ts';
import { dayAt, zoneAround } from './zone.ts';

interface SlotsQuery {
  /** The first and the last local date. */
  readonly from: string;
  readonly to: string;
  readonly now: number;
}

/** Every slot of some dates that can be booked now, in order: those that `judgeSlot` accepts, no other. */
export function slotsOf(
  schedule: Schedule,
  type: BookableType,
  taken: BusyTimes,
  { from, to, now }: SlotsQuery,
): Slot[] {
  const offering = offeringOf(schedule, type, taken);
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
  for (const [start, atWork] of startsOf(openings, grid)) {
    const isOfDay = dayAt(zone, start) === day && !timeRefusal(schedule, start, now);
    const offer = isOfDay && offerAt(offering, start, atWork);
    if (offer) {
      slots.push({ start, end: start + grid.length, date, ...offer });
    }
  }
  return slots;
}

/** Every start of some openings, in order, and who is at work then. */
function startsOf(
  openings: readonly Opening[],
  grid: Grid,
): (readonly [number, ReadonlySet<string>])[] {
  const found = openings.flatMap((opening) =>
    opening.stretches.flatMap((stretch) =>
      startsIn(stretch, grid).map((start) => ({ start, opening })),
    ),
  );
  const starts = Map.groupBy(found, ({ start }) => start);
  return [...starts]
    .map(([start, here]) => [start, membersAt(here.map(({ opening }) => opening))] as const)
    .sort(([one], [other]) => one - other);
}
