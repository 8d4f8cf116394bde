import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, Refusal, Schedule, Slot, Block } from '../schedule.ts';
import {
  contains,
  isOnGrid,
  membersAt,
  openingsOf,
  startsIn,
  type Grid,
  type Opening,
  gridOf,
  membersOf,
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

interface RequestedSlot {
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

/** A type with everything that is taken, indexed once for many starts. */
export interface Offering {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly grid: Grid;
  readonly memberIds: readonly string[];
  readonly blocks: BlockIndex;
  /** The taken seats of this type's classes, by their start. */
  readonly classes: ReadonlyMap<number, readonly Block[]>;
  readonly perDate: ReadonlyMap<string, number>;
}

export function offeringOf(schedule: Schedule, type: BookableType, busy: BusyTimes): Offering {
  const isClass = schedule.kind === 'class';
  const seats = busy.blocks.filter(({ seat }) => isClass && seat?.typeId === type.id);
  return {
    schedule,
    type,
    grid: gridOf(schedule, type),
    memberIds: membersOf(schedule).map(({ memberId }) => memberId),
    blocks: indexBlocks(busy.blocks),
    classes: Map.groupBy(seats, ({ seat }) => seat?.start ?? Number.NaN),
    perDate: busy.perDate,
  };
}

const isFull = ({ schedule: { maxPerDay }, perDate }: Offering, date: string): boolean =>
  maxPerDay !== null && (perDate.get(date) ?? 0) >= maxPerDay;

interface Takers {
  readonly memberIds: readonly string[];
  readonly seatsRemaining: number | null;
}

/** Returns the members on duty who can take a start, or undefined if it is taken. */
function takersAt(
  offering: Offering,
  start: number,
  onDuty: ReadonlySet<string>,
): Takers | undefined {
  const { schedule } = offering;
  const seatsRemaining = seatsAt(offering, start);
  if (seatsRemaining !== null && seatsRemaining <= 0) {
    return undefined;
  }
  const candidates = candidatesAt(offering, start);
  const memberIds = candidates.filter(
    (memberId) => onDuty.has(memberId) && !conflictAt(offering, start, memberId),
  );
  const isEnough = schedule.kind === 'collective' ? memberIds.length === candidates.length : true;
  return isEnough && memberIds.length > 0 ? { memberIds, seatsRemaining } : undefined;
}

/** Returns the seats left at a start of a class; null for the other kinds of calendar. */
export const seatsAt = ({ schedule, type, classes }: Offering, start: number): number | null =>
  schedule.kind === 'class' ? (type.seats ?? 1) - (classes.get(start)?.length ?? 0) : null;

/** Returns all members; for a class with seats taken only the member who gives it, if still a member. */
export function candidatesAt({ memberIds, classes }: Offering, start: number): readonly string[] {
  const givers = classes.get(start)?.map(({ memberId }) => memberId) ?? [];
  const giving = givers.length > 0 ? memberIds.filter((one) => givers.includes(one)) : [];
  return giving.length > 0 ? giving : memberIds;
}

/** Returns a member's block that conflicts with a start, including this calendar's buffers. */
export function conflictAt(
  { schedule, type, grid, blocks }: Offering,
  start: number,
  memberId: string,
): Block | undefined {
  const from = start - schedule.bufferBefore * MINUTE_MS;
  const until = start + grid.length + schedule.bufferAfter * MINUTE_MS;
  const isSameClass = ({ seat }: Block) =>
    schedule.kind === 'class' && seat?.typeId === type.id && seat.start === start;
  return findBlock(blocks, memberId, { from, until }, isSameClass);
}

/** The blocks of each member in order, so that finding one in a span is a binary search. */
type BlockIndex = ReadonlyMap<string, MemberBlocks>;

interface MemberBlocks {
  readonly blocks: readonly Block[];
  /** The latest end of the blocks up to this one. */
  readonly ends: readonly number[];
}

/** Blocks without length, such as an external calendar's reminders, take no time. */
function indexBlocks(blocks: readonly Block[]): BlockIndex {
  const taking = blocks.filter(({ from, until }) => from < until);
  const byMember = Map.groupBy(taking, ({ memberId }) => memberId);
  return new Map([...byMember].map(([memberId, own]) => [memberId, inOrder(own)]));
}

function inOrder(unordered: readonly Block[]): MemberBlocks {
  const blocks = unordered.toSorted((one, other) => one.from - other.from);
  let latest = -Infinity;
  const ends = blocks.map(({ until }) => (latest = Math.max(latest, until)));
  return { blocks, ends };
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** Returns the member's first block that overlaps a span and for which `isOwn` is false. */
function findBlock(
  index: BlockIndex,
  memberId: string,
  { from, until }: Span,
  isOwn: (block: Block) => boolean,
): Block | undefined {
  const own = index.get(memberId);
  if (!own) {
    return undefined;
  }
  for (let at = firstAbove(own.ends, from); at < own.blocks.length; at += 1) {
    const block = own.blocks[at];
    if (!block || block.from >= until) {
      return undefined;
    }
    if (block.until > from && !isOwn(block)) {
      return block;
    }
  }
  return undefined;
}

/** Returns the index of the first number above a bound in an ascending list. */
function firstAbove(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? Infinity) > bound) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
