import { FORMATS } from './formats.ts';

/** Numbers from here to below `SECONDS_END` are times in seconds: 1973 to 5138. */
const SECONDS_START = 100_000_000;
const SECONDS_END = 100_000_000_000;
/** The last millisecond of the year 9999. */
export const EPOCH_MS_MAX = 253_402_300_799_999;

/** The first millisecond of the year 0 in ISO 8601. */
export const YEAR_ZERO_MS = -62_167_219_200_000;

/** The message for a value of another type. */
export const INSTANT_TYPE =
  'must be a time: epoch milliseconds as an integer, or ISO 8601 with an offset, for example 2026-12-01T10:00:00+01:00';

/** Returns whether a schema takes a time as epoch milliseconds and as ISO 8601. */
export function isInstant(schema: unknown): boolean {
  const { type, format } = (schema ?? {}) as { type?: unknown; format?: unknown };
  return format === 'date-time' && Array.isArray(type) && type.includes('integer');
}

/**
 * Returns the time in epoch milliseconds, or the message that refuses it. The limits of a number are
 * keywords of the schema, those of a text are checked here.
 */
export function instantOf(value: unknown, minimum: number): number | string {
  if (typeof value !== 'number') {
    return instantOfText(String(value), minimum);
  }
  return Number.isInteger(value) && value >= SECONDS_START && value < SECONDS_END
    ? `must be epoch milliseconds; ${value} looks like seconds, multiply it by 1000`
    : value;
}

function instantOfText(text: string, minimum: number): number | string {
  const format = FORMATS['date-time'];
  if (format?.test(text)) {
    const instant = Date.parse(format.canonical?.(text) ?? text);
    return instant >= minimum && instant <= EPOCH_MS_MAX
      ? instant
      : `must be a time from ${new Date(minimum).getUTCFullYear()} to 9999, in UTC`;
  }
  if (WITHOUT_OFFSET.test(text)) {
    return 'must have an offset: end the time with Z or an offset such as +01:00';
  }
  // A plus in a query string that is not encoded arrives as a space.
  if (WITH_BLANK.test(text)) {
    return 'must have an offset; write the + of an offset as %2B in a URL';
  }
  return INSTANT_TYPE;
}

const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;
const WITH_BLANK = /^\d{4}-\d{2}-\d{2}T[\d:.]+ \d{2}:\d{2}$/;
