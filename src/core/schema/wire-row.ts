/**
 * A row as PostgreSQL sent it ("DataRow" of its protocol): for each column the length of its text in four
 * bytes, and the text in UTF-8. Null has the length -1 and no text.
 */
export interface WireRow {
  readonly bytes: Buffer;
  /** Where the first column begins, and where the last one ends. */
  readonly start: number;
  readonly end: number;
}

/** The rows of a page, at least one if any follows. */
export interface WirePage {
  readonly rows: readonly WireRow[];
  /** Whether rows follow that exceed the size of the page, or its bytes. */
  readonly hasMore: boolean;
}

const LENGTH_BYTES = 4;
const NO_COLUMNS: WireRow = { bytes: Buffer.alloc(0), start: 0, end: 0 };

/** Returns the length of the text at an offset; -1 is null. */
export const lengthAt = (bytes: Buffer, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);

/** Returns the offset of a column, or the end of the row if it has fewer columns. */
export function offsetOf({ bytes, start, end }: WireRow, column: number): number {
  let at = start;
  for (let skipped = 0; skipped < column && at < end; skipped += 1) {
    at += LENGTH_BYTES + Math.max(lengthAt(bytes, at), 0);
  }
  return at;
}

/** Returns the text of a column; null if there is no such row or column, too. */
export function textOf(row: WireRow | undefined, column: number): string | null {
  const { bytes, end } = row ?? NO_COLUMNS;
  const at = row ? offsetOf(row, column) : end;
  const length = at < end ? lengthAt(bytes, at) : -1;
  const from = at + LENGTH_BYTES;
  return length < 0 ? null : bytes.toString('utf8', from, from + length);
}

/** Returns some columns of a row, as a row. */
export const columnsOf = (row: WireRow, from: number, count: number): WireRow => ({
  bytes: row.bytes,
  start: offsetOf(row, from),
  end: offsetOf(row, from + count),
});

/** Returns a row with the columns of all given ones. */
export function joinRows(rows: readonly WireRow[]): WireRow {
  const [only = NO_COLUMNS, ...others] = rows;
  if (others.length === 0) {
    return only;
  }
  const bytes = Buffer.concat(rows.map((row) => row.bytes.subarray(row.start, row.end)));
  return { bytes, start: 0, end: bytes.length };
}
