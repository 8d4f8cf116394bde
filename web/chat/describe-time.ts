import { texts } from './texts.ts';

const DAY_MS = 86_400_000;

/** Returns the time of day in the format of the language. */
export const timeOfDay = (at: Date, language: string): string =>
  at.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });

/** Returns the heading above the messages of a day. */
export function describeDay(at: Date, now: Date, language: string): string {
  if (isSameDay(at, now)) {
    return texts.today;
  }
  if (isSameDay(at, new Date(now.getTime() - DAY_MS))) {
    return texts.yesterday;
  }
  return at.toLocaleDateString(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  });
}

/** Compares days in the visitor's time zone. */
export const isSameDay = (one: Date, other: Date): boolean =>
  one.toDateString() === other.toDateString();
