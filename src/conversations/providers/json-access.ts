/** An object of JSON from outside: any member may be missing, or of another type. */
export type Loose = Readonly<Record<string, unknown>>;

/** The last millisecond that a date can hold. */
const TIME_MAX = 8_640_000_000_000_000;

/** Text that PostgreSQL can store: without NUL and lone surrogates. */
export const stripInvalidText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export const objectOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};

/** Returns the objects of a list; none where the member is no list. */
export function listIn(object: Loose, name: string): Loose[] {
  const value = object[name];
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Returns a text, or a number as text, since ids may be numbers; empty where it is neither. */
export function textIn(object: Loose, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number'
    ? stripInvalidText(String(value))
    : '';
}

/** Returns a time in epoch milliseconds. */
export function timeIn(object: Loose, name: string): number | undefined {
  const value = object[name];
  const isTime = typeof value === 'number' && value >= 0 && value <= TIME_MAX;
  return isTime ? Math.trunc(value) : undefined;
}
