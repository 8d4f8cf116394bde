/** A formatter costs 50 µs, and a page asks for the same few dozens of times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 500;

const STYLES = {
  time: { hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { weekday: 'long', day: 'numeric', month: 'long' },
  slimDay: { weekday: 'short', day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type Style = keyof typeof STYLES;

export interface Reading {
  readonly locale: string;
  readonly zone: string;
}

export function say(style: Style, instant: number, { locale, zone }: Reading): string {
  const text = formatFor(style, locale, zone).format(instant);
  return text.replaceAll('\u202F', ' ');
}

/** A local date, `YYYY-MM-DD`, or a month's first. */
export const sayDate = (style: Exclude<Style, 'time'>, date: string, locale: string): string =>
  say(style, Date.parse(`${date}T12:00:00Z`), { locale, zone: 'UTC' });

/** `Tuesday, 1 December 2026, 09:00 – 09:30` */
export function saySpan(start: number, end: number, reading: Reading): string {
  const [from, until] = [say('time', start, reading), say('time', end, reading)];
  return `${say('day', start, reading)}, ${from}\u00A0–\u2060\u00A0${until}`;
}

function formatFor(style: Style, locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`;
  const known = formats.get(key);
  if (known) {
    return known;
  }
  if (formats.size >= FORMATS_MAX) {
    formats.clear();
  }
  const format = newFormat(style, locale, timeZone);
  formats.set(key, format);
  return format;
}

/** `09:00` where the day has 24 hours, `9:00 AM` where it has twice twelve. */
function newFormat(style: Style, locale: string, timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone });
  return style === 'time' && !format.resolvedOptions().hour12
    ? new Intl.DateTimeFormat(locale, { ...STYLES.time, hour: '2-digit', timeZone })
    : format;
}
