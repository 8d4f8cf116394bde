/** A point of a plot, in epoch milliseconds. */
interface Point {
  readonly at: number;
  readonly value: number;
}

/** A shorter plot is a line at one edge. */
const LEAST_MS = 60_000;

interface ProgressInput {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly counts: readonly { readonly at: number; readonly sent: number }[];
  /** Whether no further mail will be sent. */
  readonly isOver: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns the points of a campaign's progress, from its start on. A campaign that was over within a
 * minute stays at its last count until the minute has passed, or until now.
 */
export function progressPoints({
  startedAt,
  counts,
  isOver,
  now,
}: ProgressInput): readonly Point[] {
  const points = [
    { at: startedAt, value: 0 },
    ...counts.map(({ at, sent }) => ({ at, value: sent })),
  ];
  const { at = startedAt, value = 0 } = points.at(-1) ?? {};
  const end = Math.min(startedAt + LEAST_MS, now);
  return isOver && at < end ? [...points, { at: end, value }] : points;
}
