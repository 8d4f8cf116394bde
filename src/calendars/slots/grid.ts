import { MINUTE_MS } from '#lib/duration.ts';
import type { BookableType, Schedule } from '../schedule.ts';
import type { Stretch } from './openings.ts';

/** The length of a slot and the distance between starts, in milliseconds. */
export interface Grid {
  readonly length: number;
  readonly step: number;
}

export const gridOf = ({ slotInterval }: Schedule, { duration }: BookableType): Grid => ({
  length: duration * MINUTE_MS,
  step: (slotInterval ?? duration) * MINUTE_MS,
});

/** Returns the starts in a stretch, counted from its start in elapsed time; each slot lies whole in it. */
export function startsIn({ start, end }: Stretch, { length, step }: Grid): number[] {
  const count = Math.max(0, Math.floor((end - length - start) / step) + 1);
  return Array.from({ length: count }, (_, n) => start + n * step);
}

/** Returns whether a slot lies whole in a stretch. */
export const contains = (stretch: Stretch, start: number, { length }: Grid): boolean =>
  stretch.start <= start && start + length <= stretch.end;

export const isOnGrid = (stretch: Stretch, start: number, { step }: Grid): boolean =>
  (start - stretch.start) % step === 0;
