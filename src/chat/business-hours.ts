import type { EntryIssue } from '#core/section.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** `09:00-17:00`; the end may be 24:00. */
export const WINDOW_PATTERN = String.raw`^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$`;

/** Windows of local time by weekday; a missing day has none. */
export type BusinessHours = Readonly<Partial<Record<(typeof WEEKDAYS)[number], readonly string[]>>>;

/** Whether the instant is within business hours; the end of a window is outside of it. */
export function isWithin(hours: BusinessHours, timezone: string, now: Date): boolean {
  const { weekday, minute } = localTime(timezone, now);
  return (hours[weekday] ?? []).some((window) => {
    const { start, end } = minutesOf(window);
    return start <= minute && minute < end;
  });
}

/** Issues of business hours that the schema cannot express, with their pointers. */
export const hoursIssues = (hours: BusinessHours): readonly EntryIssue[] =>
  WEEKDAYS.flatMap((day) =>
    (hours[day] ?? []).flatMap((window, index) => {
      const { start, end } = minutesOf(window);
      return start < end
        ? []
        : [{ path: `/${day}/${index}`, message: 'must end after it starts, on the same day' }];
    }),
  );

function minutesOf(window: string): { readonly start: number; readonly end: number } {
  const [start = 0, end = 0] = window.split('-').map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * 60 + minutes;
  });
  return { start, end };
}

function localTime(timezone: string, now: Date) {
  const parts = new Map(
    clockOf(timezone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const weekday = (parts.get('weekday') ?? '').slice(0, 3).toLowerCase();
  return {
    weekday: weekday as (typeof WEEKDAYS)[number],
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}

/** Cached: making one takes 50 µs. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const CLOCKS_MAX = 1_000;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    if (clocks.size < CLOCKS_MAX) {
      clocks.set(timeZone, clock);
    }
  }
  return clock;
}
