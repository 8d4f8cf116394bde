import type { Refusal, Schedule, ScheduleMember, Weekday, Window } from '../schedule.ts';
import { commonStretches, type Stretch } from './common-stretches.ts';
import { dateOf, weekdayOf } from './local-days.ts';
import { instantAt, type Zone } from './zone.ts';

/** Hours, and who keeps them. */
export interface Opening {
  readonly memberIds: ReadonlySet<string>;
  readonly stretches: readonly Stretch[];
}

const NONE: readonly Window[] = [];

/**
 * When and by whom a date is kept open, or why it is not. Members who keep the calendar's hours are
 * one opening; a collective calendar is a single one, of the time that all its members have in common.
 */
export function openingsOf(
  schedule: Schedule,
  zone: Zone,
  day: number,
): readonly Opening[] | Refusal {
  const special = specialOn(schedule, day);
  if (special?.length === 0) {
    return 'date_unavailable';
  }
  const weekday = weekdayOf(day);
  const shifts = Map.groupBy(
    membersOf(schedule),
    (member) => special ?? windowsOn(schedule, member, weekday),
  );
  const isOff = (windows: readonly Window[]) => windows.length === 0;
  const days = [...shifts.keys()];
  const isAllWanted = schedule.kind === 'collective';
  if (days.every(isOff) || (isAllWanted && days.some(isOff))) {
    return 'day_unavailable';
  }
  const openings = [...shifts].map(([windows, members]) => ({
    memberIds: idsOf(members),
    stretches: windows.flatMap((window) => stretchOf(zone, day, window)),
  }));
  return isAllWanted ? [inCommon(schedule, openings)] : openings;
}

function specialOn({ overrides }: Schedule, day: number): readonly Window[] | undefined {
  const date = overrides.length > 0 ? dateOf(day) : '';
  return overrides.find((override) => override.date === date)?.hours;
}

/** A member's windows of a weekday: his own where he has hours of his own, else the calendar's. */
export const windowsOn = (
  schedule: Schedule,
  { hours }: ScheduleMember,
  weekday: Weekday,
): readonly Window[] => (hours ?? schedule.hours)[weekday] ?? NONE;

const idsOf = (members: readonly ScheduleMember[]): ReadonlySet<string> =>
  new Set(members.map(({ memberId }) => memberId));

/** Who gives the calendar's appointments, in order. */
export const membersOf = ({ kind, members }: Schedule): readonly ScheduleMember[] =>
  kind === 'personal' ? members.slice(0, 1) : members;

/** A window that lies in the hour which a zone change leaves out has no time in it. */
function stretchOf(zone: Zone, day: number, [from, to]: Window): readonly Stretch[] {
  const start = instantAt(zone, day, from);
  const end = instantAt(zone, day, to);
  return start < end ? [{ start, end }] : [];
}

const inCommon = (schedule: Schedule, openings: readonly Opening[]): Opening => ({
  memberIds: idsOf(membersOf(schedule)),
  stretches: openings.map(({ stretches }) => stretches).reduce(commonStretches),
});

/** Everybody who keeps one of some openings. */
export function membersAt(openings: readonly Opening[]): ReadonlySet<string> {
  const [only, ...others] = openings;
  return only && others.length === 0
    ? only.memberIds
    : new Set(openings.flatMap(({ memberIds }) => [...memberIds]));
}
