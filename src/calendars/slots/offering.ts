import { MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, Block, Schedule, BusyTimes } from '../schedule.ts';
import { diaryOf, findBlock, type Diary } from './diary.ts';
import { gridOf, type Grid } from './grid.ts';
import { membersOf } from './openings-of.ts';

/** A calendar's type beside what is taken, put in order once for many starts. */
export interface Offering {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly grid: Grid;
  readonly memberIds: readonly string[];
  readonly diary: Diary;
  /** The seats taken of this type's classes, by their start. */
  readonly classes: ReadonlyMap<number, readonly Block[]>;
  readonly perDate: ReadonlyMap<string, number>;
}

export function offeringOf(schedule: Schedule, type: BookableType, taken: BusyTimes): Offering {
  const isClass = schedule.kind === 'class';
  const seats = taken.blocks.filter(({ seat }) => isClass && seat?.typeId === type.id);
  return {
    schedule,
    type,
    grid: gridOf(schedule, type),
    memberIds: membersOf(schedule).map(({ memberId }) => memberId),
    diary: diaryOf(taken.blocks),
    classes: Map.groupBy(seats, ({ seat }) => seat?.start ?? Number.NaN),
    perDate: taken.perDate,
  };
}

export const isFull = ({ schedule: { maxPerDay }, perDate }: Offering, date: string): boolean =>
  maxPerDay !== null && (perDate.get(date) ?? 0) >= maxPerDay;

interface Offer {
  readonly memberIds: readonly string[];
  readonly seatsRemaining: number | null;
}

/** Who of those that are at work may take a start, or nothing where it is taken. */
export function offerAt(
  offering: Offering,
  start: number,
  atWork: ReadonlySet<string>,
): Offer | undefined {
  const { schedule } = offering;
  const seatsRemaining = seatsAt(offering, start);
  if (seatsRemaining !== null && seatsRemaining <= 0) {
    return undefined;
  }
  const wanted = wantedAt(offering, start);
  const memberIds = wanted.filter(
    (memberId) => atWork.has(memberId) && !conflictAt(offering, start, memberId),
  );
  const isEnough = schedule.kind === 'collective' ? memberIds.length === wanted.length : true;
  return isEnough && memberIds.length > 0 ? { memberIds, seatsRemaining } : undefined;
}

/** Seats left at a start of a class; null for the other kinds. */
export const seatsAt = ({ schedule, type, classes }: Offering, start: number): number | null =>
  schedule.kind === 'class' ? (type.seats ?? 1) - (classes.get(start)?.length ?? 0) : null;

/** All members; of a class that has begun to fill the one who gives it, while he is a member. */
export function wantedAt({ memberIds, classes }: Offering, start: number): readonly string[] {
  const givers = classes.get(start)?.map(({ memberId }) => memberId) ?? [];
  const giving = givers.length > 0 ? memberIds.filter((one) => givers.includes(one)) : [];
  return giving.length > 0 ? giving : memberIds;
}

/** What stands in a member's way at a start, the buffers of this calendar around it. */
export function conflictAt(
  { schedule, type, grid, diary }: Offering,
  start: number,
  memberId: string,
): Block | undefined {
  const from = start - schedule.bufferBefore * MINUTE_MS;
  const until = start + grid.length + schedule.bufferAfter * MINUTE_MS;
  const isSameClass = ({ seat }: Block) =>
    schedule.kind === 'class' && seat?.typeId === type.id && seat.start === start;
  return findBlock(diary, memberId, { from, until }, isSameClass);
}
