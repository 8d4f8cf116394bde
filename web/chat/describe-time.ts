import { words } from './words.ts';

const DAY_MS = 86_400_000;

/** The time of day as the visitor writes it. */
export const timeOfDay = (at: Date, language: string): string =>
  at.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });

/** The day as it stands above its messages. */
export function describeDay(at: Date, now: Date, language: string): string {
  if (isSameDay(at, now)) {
    return words.today;
  }
  if (isSameDay(at, new Date(now.getTime() - DAY_MS))) {
    return words.yesterday;
  }
  return at.toLocaleDateString(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  });
}

/** Of the visitor's own calendar. */
export const isSameDay = (one: Date, other: Date): boolean =>
  one.toDateString() === other.toDateString();
