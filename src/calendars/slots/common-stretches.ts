/** A window of hours as two instants, the end left out. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The time that lies in a stretch of both, each piece once. */
export function commonStretches(
  some: readonly Stretch[],
  others: readonly Stretch[],
): readonly Stretch[] {
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
