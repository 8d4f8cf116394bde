/** An object of JSON from outside: any member may be missing, or of another type. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The last millisecond that a date can hold. */
const TIME_MAX = 8_640_000_000_000_000;

/** Returns the text without NUL and lone surrogates, which PostgreSQL cannot store. */
export const stripInvalidText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

/** Returns the objects of a list; none if the member is not a list. */
export function listIn(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Returns a text, or a number as text, since ids may be numbers; empty for any other value. */
export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number'
    ? stripInvalidText(String(value))
    : '';
}

/** Returns a time in epoch milliseconds. */
export function timeIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  const isTime = typeof value === 'number' && value >= 0 && value <= TIME_MAX;
  return isTime ? Math.trunc(value) : undefined;
}
