import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, BusyTimes, Refusal, Schedule, Block } from '../schedule.ts';
import { gridOf, type Grid } from './grid.ts';
import { membersOf } from './openings.ts';

/** A type with everything that is taken, indexed once for many starts. */
export interface Offering {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly grid: Grid;
  readonly memberIds: readonly string[];
  readonly blocks: BlockIndex;
  readonly external: BusyTimes['external'];
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
    external: busy.external,
    classes: Map.groupBy(seats, ({ seat }) => seat?.start ?? Number.NaN),
    perDate: busy.perDate,
  };
}

export const isFull = ({ schedule: { maxPerDay }, perDate }: Offering, date: string): boolean =>
  maxPerDay !== null && (perDate.get(date) ?? 0) >= maxPerDay;

interface Takers {
  readonly memberIds: readonly string[];
  readonly seatsRemaining: number | null;
}

/** Returns the members on duty who can take a start, or undefined if it is taken. */
export function takersAt(
  offering: Offering,
  start: number,
  onDuty: ReadonlySet<string>,
): Takers | undefined {
  const seatsRemaining = seatsAt(offering, start);
  if (!isTakeable(offering, start, onDuty, seatsRemaining)) {
    return undefined;
  }
  const memberIds = candidatesAt(offering, start).filter(isFreeAt(offering, start, onDuty));
  return { memberIds, seatsRemaining };
}

/** Returns whether `takersAt` finds members, and looks at no more of them than it must. */
export function isTakeable(
  offering: Offering,
  start: number,
  onDuty: ReadonlySet<string>,
  seatsRemaining: number | null,
): boolean {
  if (seatsRemaining !== null && seatsRemaining <= 0) {
    return false;
  }
  const isFree = isFreeAt(offering, start, onDuty);
  const candidates = candidatesAt(offering, start);
  return offering.schedule.kind === 'collective'
    ? candidates.length > 0 && candidates.every(isFree)
    : candidates.some(isFree);
}

const isFreeAt =
  (offering: Offering, start: number, onDuty: ReadonlySet<string>) =>
  (memberId: string): boolean =>
    onDuty.has(memberId) && !conflictAt(offering, start, memberId);

/** Returns the seats left at a start of a class; null for the other kinds of calendar. */
export const seatsAt = ({ schedule, type, classes }: Offering, start: number): number | null =>
  schedule.kind === 'class' ? (type.seats ?? 1) - (classes.get(start)?.length ?? 0) : null;

/**
 * Returns all members; for a class with seats taken only the member who gives it, if still a member. Of
 * these, a wish for one member leaves only that one, except in a collective calendar, which needs all.
 */
export function candidatesAt(
  { schedule: { kind, only }, memberIds, classes }: Offering,
  start: number,
): readonly string[] {
  const givers = classes.get(start)?.map(({ memberId }) => memberId) ?? [];
  const giving = givers.length > 0 ? memberIds.filter((one) => givers.includes(one)) : [];
  const able = giving.length > 0 ? giving : memberIds;
  if (only === undefined || (kind === 'collective' && able.includes(only))) {
    return able;
  }
  return able.filter((one) => one === only);
}

/**
 * Returns what conflicts first with a start, including this calendar's buffers: a member's block, or a
 * busy time of the member's external calendar.
 */
export function conflictAt(
  { schedule, type, grid, blocks, external }: Offering,
  start: number,
  memberId: string,
): Block | undefined {
  const from = start - schedule.bufferBefore * MINUTE_MS;
  const until = start + grid.length + schedule.bufferAfter * MINUTE_MS;
  const isSameClass = ({ seat }: Block) =>
    schedule.kind === 'class' && seat?.typeId === type.id && seat.start === start;
  const block = findBlock(blocks, memberId, { from, until }, isSameClass);
  const event = findExternal(external, memberId, { from, until });
  return block && event ? (event.from < block.from ? event : block) : (block ?? event);
}

/** The blocks of each member in order, so that finding one in a span is a binary search. */
type BlockIndex = ReadonlyMap<string, MemberBlocks>;

interface MemberBlocks {
  readonly blocks: readonly Block[];
  /** The latest end of the blocks up to this one. */
  readonly ends: readonly number[];
}

/** Blocks without length take no time. */
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

/** Returns the first busy time of the member's external calendar that overlaps a span. */
function findExternal(
  external: BusyTimes['external'],
  memberId: string,
  { from, until }: Span,
): Block | undefined {
  const times = external?.get(memberId) ?? [];
  const first = firstAbove(times, from);
  // The bounds alternate: an odd index is the end of a busy time that has begun before the span.
  const at = first - (first % 2);
  const [start = Infinity, end = Infinity] = [times[at], times[at + 1]];
  return start < until ? { memberId, from: start, until: end } : undefined;
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

/** The end of the year 9999: later dates need more than four digits. */
const LAST_START = Date.UTC(9999, 11, 30);

/** When a start is asked for. */
export interface RequestTime {
  readonly now: number;
  /** The start that the appointment has already: with another member, it is never too soon or too far ahead. */
  readonly current?: number | undefined;
}

/** Returns why a start is too early or too late to be booked now, if it is. */
export function timeRefusal(
  { minimumNotice, maximumAdvance }: Schedule,
  start: number,
  { now, current }: RequestTime,
): Refusal | undefined {
  if (start < now) {
    return 'slot_in_past';
  }
  if (start === current) {
    return undefined;
  }
  if (start < now + minimumNotice * MINUTE_MS) {
    return 'too_soon';
  }
  return start > lastStart({ maximumAdvance }, now) ? 'too_far_ahead' : undefined;
}

/** Returns the latest start that can be booked now. */
export const lastStart = (
  { maximumAdvance }: Pick<Schedule, 'maximumAdvance'>,
  now: number,
): number =>
  maximumAdvance === null ? LAST_START : Math.min(now + maximumAdvance * DAY_MS, LAST_START);
