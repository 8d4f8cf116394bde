import type { BookableType, BusyTimes, Refusal, Schedule, Slot } from '../schedule.ts';
import { contains, isOnGrid } from './grid.ts';
import { isFull, offeringOf, takersAt, timeRefusal, type RequestTime } from './slot-rules.ts';
import { membersAt, openingsOf } from './openings.ts';
import { dateOf, dayAt, zoneAround } from './zone.ts';

interface RequestedSlot extends RequestTime {
  readonly start: number;
  readonly end: number;
}

/** Returns the requested slot as `slotsOf` offers it, or the first reason against it. */
export function judgeSlot(
  schedule: Schedule,
  type: BookableType,
  busy: BusyTimes,
  { start, end, ...asked }: RequestedSlot,
): Slot | Refusal {
  const offering = offeringOf(schedule, type, busy);
  const { grid } = offering;
  if (end - start !== grid.length) {
    return 'invalid_duration';
  }
  const refusal = timeRefusal(schedule, start, asked);
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
