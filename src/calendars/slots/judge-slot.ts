import type { BookableType, Refusal, Schedule, Slot, BusyTimes } from '../schedule.ts';
import { holds, isOnGrid } from './grid.ts';
import { dateOf } from './local-days.ts';
import { isFull, offerAt, offeringOf } from './offering.ts';
import { membersAt, openingsOf } from './openings-of.ts';
import { timeRefusal } from './time-refusal.ts';
import { dayAt, zoneAround } from './zone.ts';

export interface RequestedSlot {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

/** The slot that somebody wishes to book, as `slotsOf` offers it, or the first reason why it is none. */
export function judgeSlot(
  schedule: Schedule,
  type: BookableType,
  taken: BusyTimes,
  { start, end, now }: RequestedSlot,
): Slot | Refusal {
  const offering = offeringOf(schedule, type, taken);
  const { grid } = offering;
  if (end - start !== grid.length) {
    return 'invalid_duration';
  }
  const untimely = timeRefusal(schedule, start, now);
  if (untimely) {
    return untimely;
  }
  const zone = zoneAround(schedule.timezone, start);
  const day = dayAt(zone, start);
  const openings = openingsOf(schedule, zone, day);
  if (typeof openings === 'string') {
    return openings;
  }
  const holding = openings.filter(({ stretches }) =>
    stretches.some((stretch) => holds(stretch, start, grid)),
  );
  if (holding.length === 0) {
    return 'outside_hours';
  }
  const date = dateOf(day);
  if (isFull(offering, date)) {
    return 'day_full';
  }
  const starting = holding.filter(({ stretches }) =>
    stretches.some((stretch) => holds(stretch, start, grid) && isOnGrid(stretch, start, grid)),
  );
  const offer = offerAt(offering, start, membersAt(starting));
  return offer ? { start, end, date, ...offer } : 'slot_unavailable';
}
