import { boundedCache } from '#lib/bounded-cache.ts';

const STYLES = {
  time: { hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { weekday: 'long', day: 'numeric', month: 'long' },
  slimDay: { weekday: 'short', day: 'numeric', month: 'long' },
  headDay: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type Style = keyof typeof STYLES;

interface TimeFormat {
  readonly locale: string;
  readonly zone: string;
}

/** Returns an instant, in epoch milliseconds, in a locale's words and a time zone. */
export function formatTime(style: Style, instant: number, { locale, zone }: TimeFormat): string {
  const key = `${style} ${locale} ${zone}`;
  const text = formats(key, () => newFormat(style, locale, zone)).format(instant);
  return text.replaceAll('\u202F', ' ');
}

/** Returns a local date, `YYYY-MM-DD`, in a locale's words. */
export const formatDate = (style: Exclude<Style, 'time'>, date: string, locale: string): string =>
  formatTime(style, Date.parse(`${date}T12:00:00Z`), { locale, zone: 'UTC' });

/** Returns `Tuesday, 1 December 2026, 09:00 – 09:30`. */
export function formatSpan(start: number, end: number, format: TimeFormat): string {
  const [from, until] = [formatTime('time', start, format), formatTime('time', end, format)];
  return `${formatTime('day', start, format)}, ${from}\u00A0–\u2060\u00A0${until}`;
}

/** Creating a formatter costs 50 µs, and a page uses the same few dozens of times. */
const formats = boundedCache<Intl.DateTimeFormat>(500);

/** `09:00` in locales with a 24-hour clock, `9:00 AM` in the others. */
function newFormat(style: Style, locale: string, timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone });
  return style === 'time' && !format.resolvedOptions().hour12
    ? new Intl.DateTimeFormat(locale, { ...STYLES.time, hour: '2-digit', timeZone })
    : format;
}
