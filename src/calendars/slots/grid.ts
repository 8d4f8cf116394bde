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

/** Returns whether a slot lies whole in a stretch. */
export const contains = (stretch: Stretch, start: number, { length }: Grid): boolean =>
  stretch.start <= start && start + length <= stretch.end;

export const isOnGrid = (stretch: Stretch, start: number, { step }: Grid): boolean =>
  (start - stretch.start) % step === 0;
