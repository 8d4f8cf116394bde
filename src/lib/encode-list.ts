import { json, LONG_TEXT, type Json } from '#core/schema/json.ts';
import { slices } from './in-slices.ts';

interface EncodedList<T> {
  readonly data: Json;
  /** The last value of the list; undefined for none. */
  readonly last: T | undefined;
  /** Values that did not fit were left out. */
  readonly isCut: boolean;
}

/**
 * Returns the JSON of a list, which ends early at `bytesMax`, with at least one value. Other work runs while
 * a large one is encoded.
 */
export async function encodeList<T>(
  subAccountId: string,
  values: Iterable<T>,
  bytesMax: number,
): Promise<EncodedList<T>> {
  const slice = slices(subAccountId);
  const parts: Buffer[] = [];
  let bytes = 0;
  let last: T | undefined;
  let isCut = false;
  for (const value of values) {
    const part = Buffer.from(JSON.stringify(value));
    bytes += part.length + 1;
    isCut = bytes > bytesMax && parts.length > 0;
    if (isCut) {
      break;
    }
    parts.push(parts.length === 0 ? OPENING : COMMA, part);
    last = value;
    const pause = slice();
    if (pause) {
      await pause;
    }
  }
  const list = Buffer.concat(parts.length === 0 ? [OPENING, CLOSING] : [...parts, CLOSING]);
  return { data: json(list.length < LONG_TEXT ? list.toString() : list), last, isCut };
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');
