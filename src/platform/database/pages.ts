import { json, jsonContent, type Json } from '#core/schema/json.ts';
import type { RecordSchema } from '#core/schema/record.ts';
import { textOf, type WirePage, type WireRow } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import { slices } from '#lib/in-slices.ts';

/** Sub-accounts share the event loop while their large pages are encoded. */
type Owner = Pick<View, 'subAccountId'>;

/** A statement for a page and the size of the whole set: the total precedes each record. */
export const pageWithTotal = (total: string, records: string): string =>
  `select counted.total, record.* from (select (${total}) as total) as counted
   left join (${records}) as record on true order by record.id desc`;

export interface Page {
  readonly data: Json;
  readonly total: number;
  /** The id of the last record if more follow, otherwise null. */
  readonly next: string | null;
}

/** Reads the result of `pageWithTotal`. */
export async function readPage(view: Owner, record: RecordSchema, page: WirePage): Promise<Page> {
  const { rows, hasMore } = page;
  // Without records, the only row has the total.
  const isEmpty = textOf(rows[0], 1) === null;
  return {
    data: await encodePage(view, record, isEmpty ? NO_ROWS : page, 1),
    total: Number(textOf(rows[0], 0) ?? 0),
    next: hasMore ? textOf(rows.at(-1), 1) : null,
  };
}

const NO_ROWS: WirePage = { rows: [], hasMore: false };

/** Encoding a megabyte takes tens of milliseconds. */
const LARGE_BYTES = 131_072;

/** Returns the JSON of the records of a page; other work goes on while a large one is encoded. */
export function encodePage(
  { subAccountId }: Owner,
  record: RecordSchema,
  { rows }: WirePage,
  start: number,
): Json | Promise<Json> {
  return sizeOf(rows) < LARGE_BYTES
    ? record.encodeAll(rows, start)
    : encodeInSlices(subAccountId, record, rows, start);
}

const sizeOf = (rows: readonly WireRow[]): number =>
  rows.reduce((sum, { start, end }) => sum + end - start, 0);

async function encodeInSlices(
  subAccountId: string,
  record: RecordSchema,
  rows: readonly WireRow[],
  start: number,
): Promise<Json> {
  const slice = slices(subAccountId);
  const parts: Buffer[] = [];
  for (const row of rows) {
    parts.push(
      parts.length === 0 ? OPENING : COMMA,
      Buffer.from(jsonContent(record.encode(row, start))),
    );
    await slice();
  }
  return json(Buffer.concat([...parts, CLOSING]));
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');
