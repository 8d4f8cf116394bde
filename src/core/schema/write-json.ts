import array from 'postgres-array';
import { LONG_TEXT } from './json.ts';

/**
 * Writes JSON from the bytes that PostgreSQL sent, without a JavaScript string for each value: a quarter
 * of the cost of decoding, quoting and joining them. What is written gathers in one buffer until
 * `takeWritten`, so nothing here may wait in between.
 */
let out = Buffer.allocUnsafeSlow(65_536);
let written = 0;

/** A buffer that has become larger is not kept. */
const KEPT_MAX = 1_048_576;
/** From this length on, native functions on the whole text are faster than a loop over its bytes. */
const LONG = 512;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CAPITAL_N = 0x4e;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Writes one value, whose text is the bytes `from` to `to`. */
export type WriteValue = (bytes: Buffer, from: number, to: number) => void;

/** Returns everything that was written since the last call, as bytes if it is long. */
export function takeWritten(): string | Buffer {
  const text =
    written < LONG_TEXT ? out.toString('utf8', 0, written) : Buffer.from(out.subarray(0, written));
  written = 0;
  if (out.length > KEPT_MAX) {
    out = Buffer.allocUnsafeSlow(KEPT_MAX);
  }
  return text;
}

/** Forgets what was written, after an error. */
export const discardWritten = (): void => void (written = 0);

/** Makes room for a number of bytes. */
function reserve(length: number): void {
  if (written + length > out.length) {
    const larger = Buffer.allocUnsafeSlow(Math.max(out.length * 2, written + length));
    out.copy(larger, 0, 0, written);
    out = larger;
  }
}

/** Writes bytes that are JSON already, such as numbers and `jsonb`. */
export function writeBytes(bytes: Buffer, from = 0, to = bytes.length): void {
  reserve(to - from);
  if (to - from > LONG) {
    bytes.copy(out, written, from, to);
    written += to - from;
    return;
  }
  const target = out;
  let end = written;
  for (let at = from; at < to; at += 1) {
    target[end++] = bytes[at] as number;
  }
  written = end;
}

function writeText(text: string): void {
  reserve(Buffer.byteLength(text));
  written += out.write(text, written);
}

/** Whether a byte of UTF-8 cannot stand in a JSON string as it is. */
const needsEscape = (byte: number): boolean => byte < 0x20 || byte === QUOTE || byte === BACKSLASH;

export function writeString(bytes: Buffer, from: number, to: number): void {
  if (to - from > LONG) {
    writeText(JSON.stringify(bytes.toString('utf8', from, to)));
    return;
  }
  reserve(to - from + 2);
  const target = out;
  let end = written;
  target[end++] = QUOTE;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (needsEscape(byte)) {
      writeText(JSON.stringify(bytes.toString('utf8', from, to)));
      return;
    }
    target[end++] = byte;
  }
  target[end++] = QUOTE;
  written = end;
}

export function writeBoolean(bytes: Buffer, from: number): void {
  writeBytes(bytes[from] === 0x74 ? TRUE : FALSE);
}

/** Writes an array of texts such as `{vip,"new lead"}`. */
export function writeArray(bytes: Buffer, from: number, to: number): void {
  if (!isPlainArray(bytes, from, to)) {
    writeText(JSON.stringify(array.parse(bytes.toString('utf8', from, to))));
    return;
  }
  // Each comma becomes three bytes.
  reserve(3 * (to - from) + 2);
  const target = out;
  let end = written;
  target[end++] = OPEN_BRACKET;
  if (to - from > 2) {
    target[end++] = QUOTE;
    for (let at = from + 1; at < to - 1; at += 1) {
      const byte = bytes[at] as number;
      if (byte === COMMA) {
        target[end++] = QUOTE;
        target[end++] = COMMA;
        target[end++] = QUOTE;
      } else {
        target[end++] = byte;
      }
    }
    target[end++] = QUOTE;
  }
  target[end++] = CLOSE_BRACKET;
  written = end;
}

/**
 * PostgreSQL quotes elements with special characters. An element that begins with N may be NULL, with a
 * brace it is an array. Bounds precede the first brace.
 */
function isPlainArray(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from] !== OPEN_BRACE) {
    return false;
  }
  for (let at = from + 1; at < to - 1; at += 1) {
    const byte = bytes[at] as number;
    const isFirst = at === from + 1 || bytes[at - 1] === COMMA;
    if (needsEscape(byte) || (isFirst && (byte === CAPITAL_N || byte === OPEN_BRACE))) {
      return false;
    }
  }
  return true;
}

const DATE_LENGTH = 10;
const SECONDS_END = 19;
const MILLISECONDS_END = 23;

/** Writes `2026-01-31 09:00:00.25`, a time in UTC, in the format of `Date.prototype.toISOString`. */
export function writeTime(bytes: Buffer, from: number, to: number): void {
  reserve(to - from + 8);
  const target = out;
  let end = written;
  target[end++] = QUOTE;
  for (let at = 0; at < SECONDS_END; at += 1) {
    target[end++] = at === DATE_LENGTH ? 0x54 : (bytes[from + at] as number);
  }
  target[end++] = 0x2e;
  for (let at = SECONDS_END + 1; at < Math.max(MILLISECONDS_END, to - from); at += 1) {
    target[end++] = from + at < to ? (bytes[from + at] as number) : 0x30;
  }
  target[end++] = 0x5a;
  target[end++] = QUOTE;
  written = end;
}
