import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, Schedule, OfferedTime } from '../schedule.ts';
import { dateOf, dayAt, offsetAt, type Zone, zoneAround } from './zone.ts';
import { slotsOf } from './slots-of.ts';

/** A change of the zone's clocks, with the slots of the dates around it. */
export interface ClockChangePreview {
  readonly at: number;
  /** How far the clocks jump, in minutes; negative if they go back. */
  readonly jump: number;
  readonly dates: readonly { readonly date: string; readonly slots: readonly OfferedTime[] }[];
}

const CHANGES = 2;
const AROUND = [-1, 0, 1];

/** Returns the slots around the zone's next two changes, without bookings, notice or advance limits. */
export function previewClockChanges(
  schedule: Schedule,
  type: BookableType,
  now: number,
): ClockChangePreview[] {
  const zone = zoneAround(schedule.timezone, now);
  const open = { ...schedule, minimumNotice: 0, maximumAdvance: null, maxPerDay: null };
  const changes = zone.since.filter((at) => at > now).slice(0, CHANGES);
  return changes.map((at) => ({
    at,
    jump: (offsetAt(zone, at) - offsetAt(zone, at - 1)) / MINUTE_MS,
    dates: datesAround(zone, at).map((date) => ({
      date,
      slots: slotsOnDate(open, type, date, at),
    })),
  }));
}

/** The changing date is that of the last moment before, so that a change at midnight counts for the day before. */
const datesAround = (zone: Zone, at: number): string[] =>
  AROUND.map((distance) => dateOf(dayAt(zone, at - 1) + distance));

const slotsOnDate = (
  schedule: Schedule,
  type: BookableType,
  date: string,
  at: number,
): OfferedTime[] =>
  slotsOf(
    schedule,
    type,
    { blocks: [], perDate: new Map() },
    { from: date, to: date, now: at - 4 * DAY_MS },
  );
