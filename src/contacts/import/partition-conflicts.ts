/** Rows that may be done together, and those that have to wait until these are done. */
export interface Partition<R> {
  readonly first: readonly R[];
  readonly later: readonly R[];
}

/**
 * Takes out every row that shares a mark with one before it, also with one that was taken out, so
 * that rows about the same thing are done in the order of the file.
 */
export function partitionConflicts<R>(
  rows: readonly R[],
  marksOf: (row: R) => readonly string[],
): Partition<R> {
  const taken = new Set<string>();
  const first: R[] = [];
  const later: R[] = [];
  for (const row of rows) {
    const marks = marksOf(row);
    (marks.some((mark) => taken.has(mark)) ? later : first).push(row);
    marks.forEach((mark) => taken.add(mark));
  }
  return { first, later };
}
