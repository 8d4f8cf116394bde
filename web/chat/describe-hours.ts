import type { BusinessHours } from './api.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** A Monday: weekday names are formatted from its week. */
const SOME_MONDAY_MS = Date.UTC(2024, 0, 1, 12);
const DAY_MS = 86_400_000;

export interface HoursLine {
  readonly days: string;
  readonly windows: readonly string[];
}

/** Returns the week in as few lines as possible: consecutive days with the same windows share one. */
export function describeHours(hours: BusinessHours | null, language: string): HoursLine[] {
  const week = DAYS.map((day) => (hours?.[day] ?? []).map(spaced));
  const lines: HoursLine[] = [];
  for (let first = 0; first < DAYS.length;) {
    const windows = week[first] ?? [];
    let last = first;
    while (last + 1 < DAYS.length && String(week[last + 1]) === String(windows)) {
      last += 1;
    }
    if (windows.length > 0) {
      lines.push({ days: daysFrom(first, last, language), windows });
    }
    first = last + 1;
  }
  return lines;
}

function daysFrom(first: number, last: number, language: string): string {
  const name = weekday(first, language);
  return first === last ? name : `${name} – ${weekday(last, language)}`;
}

const weekday = (index: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    SOME_MONDAY_MS + index * DAY_MS,
  );

const spaced = (window: string): string => window.replace('-', ' – ');
