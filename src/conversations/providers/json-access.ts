import { stripInvalidText } from './strip-invalid-text.ts';

/** An object of somebody else's JSON, of which nothing is sure. */
export type Loose = Readonly<Record<string, unknown>>;

/** The last millisecond that a date can hold. */
const TIME_MAX = 8_640_000_000_000_000;

export const objectOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};

/** The objects of a list; none where it is no list. */
export function listIn(object: Loose, name: string): Loose[] {
  const value = object[name];
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Empty where there is no text. Ids may come as numbers. */
export function textIn(object: Loose, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number'
    ? stripInvalidText(String(value))
    : '';
}

/** Epoch milliseconds. */
export function timeIn(object: Loose, name: string): number | undefined {
  const value = object[name];
  const isTime = typeof value === 'number' && value >= 0 && value <= TIME_MAX;
  return isTime ? Math.trunc(value) : undefined;
}
