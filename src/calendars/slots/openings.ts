import type { Refusal, Schedule, ScheduleMember, Weekday, Window } from '../schedule.ts';
import { dateOf, weekdayOf, instantAt, type Zone } from './zone.ts';

/** Opening hours of a date, with the members who work then. */
export interface Opening {
  readonly memberIds: ReadonlySet<string>;
  readonly stretches: readonly Stretch[];
}

const NONE: readonly Window[] = [];

/**
 * Returns a date's openings, or the reason why it has none. Members with the same windows share an
 * opening; a collective calendar has a single one, of the time that all its members have in common.
 */
export function openingsOf(
  schedule: Schedule,
  zone: Zone,
  day: number,
): readonly Opening[] | Refusal {
  const override = overrideOn(schedule, day);
  if (override?.length === 0) {
    return 'date_unavailable';
  }
  const weekday = weekdayOf(day);
  const shifts = Map.groupBy(
    membersOf(schedule),
    (member) => override ?? windowsOn(schedule, member, weekday),
  );
  const isOff = (windows: readonly Window[]) => windows.length === 0;
  const days = [...shifts.keys()];
  const needsAll = schedule.kind === 'collective';
  if (days.every(isOff) || (needsAll && days.some(isOff))) {
    return 'day_unavailable';
  }
  const openings = [...shifts].map(([windows, members]) => ({
    memberIds: idsOf(members),
    stretches: windows.flatMap((window) => stretchOf(zone, day, window)),
  }));
  return needsAll ? [inCommon(schedule, openings)] : openings;
}

function overrideOn({ overrides }: Schedule, day: number): readonly Window[] | undefined {
  const date = overrides.length > 0 ? dateOf(day) : '';
  return overrides.find((override) => override.date === date)?.hours;
}

/** Returns a member's windows of a weekday: their own if they have own hours, else the calendar's. */
export const windowsOn = (
  schedule: Schedule,
  { hours }: ScheduleMember,
  weekday: Weekday,
): readonly Window[] => (hours ?? schedule.hours)[weekday] ?? NONE;

const idsOf = (members: readonly ScheduleMember[]): ReadonlySet<string> =>
  new Set(members.map(({ memberId }) => memberId));

/** Returns the members who give the calendar's appointments, in order. */
export const membersOf = ({ kind, members }: Schedule): readonly ScheduleMember[] =>
  kind === 'personal' ? members.slice(0, 1) : members;

/** A window inside an hour that the clocks skip has no time in it. */
function stretchOf(zone: Zone, day: number, [from, to]: Window): readonly Stretch[] {
  const start = instantAt(zone, day, from);
  const end = instantAt(zone, day, to);
  return start < end ? [{ start, end }] : [];
}

const inCommon = (schedule: Schedule, openings: readonly Opening[]): Opening => ({
  memberIds: idsOf(membersOf(schedule)),
  stretches: openings.map(({ stretches }) => stretches).reduce(commonStretches),
});

/** Returns the members of all these openings. */
export function membersAt(openings: readonly Opening[]): ReadonlySet<string> {
  const [only, ...others] = openings;
  return only && others.length === 0
    ? only.memberIds
    : new Set(openings.flatMap(({ memberIds }) => [...memberIds]));
}

/** A window of hours as two instants, the end excluded. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Returns the intersection of two lists of stretches, each piece once. */
function commonStretches(some: readonly Stretch[], others: readonly Stretch[]): readonly Stretch[] {
  const common = new Map<string, Stretch>();
  for (const one of some) {
    for (const other of others) {
      const start = Math.max(one.start, other.start);
      const end = Math.min(one.end, other.end);
      if (start < end) {
        common.set(`${start} ${end}`, { start, end });
      }
    }
  }
  return [...common.values()];
}
