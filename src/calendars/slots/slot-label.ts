import { MINUTE_MS } from '#lib/duration.ts';
import { offsetAt, zoneAround } from './zone.ts';

/** A formatter costs 50 µs and some memory, and a month's slots ask for the same one. */
const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 200;

/** Further than summer time moves a clock anywhere. */
const LOOK_MS = 180 * MINUTE_MS;

/**
 * A start as a person reads it in the calendar's zone: `Mon, 2 Nov 2026, 09:00`. In an hour that the
 * clocks repeat it says which of the two it is: `Sun, 25 Oct 2026, 02:30 CEST`.
 */
export function slotLabel(start: number, timezone: string, locale: string): string {
  const label = formatFor(locale, timezone, isRepeated(start, timezone)).format(start);
  // Some languages put a narrow no-break space before "PM", which makes a text message twice as long.
  return label.replaceAll('\u202F', ' ');
}

function isRepeated(start: number, timezone: string): boolean {
  const zone = zoneAround(timezone, start);
  const here = offsetAt(zone, start);
  const isSameTime = (there: number) =>
    there !== here && offsetAt(zone, start + here - there) === there;
  return isSameTime(offsetAt(zone, start - LOOK_MS)) || isSameTime(offsetAt(zone, start + LOOK_MS));
}

function formatFor(locale: string, timezone: string, withZone: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${timezone} ${withZone}`;
  const known = formats.get(key);
  if (known) {
    return known;
  }
  if (formats.size >= FORMATS_MAX) {
    formats.clear();
  }
  const format = newFormat(locale, timezone, withZone);
  formats.set(key, format);
  return format;
}

/** `09:00` where the day has 24 hours, `9:00 AM` where it has twice twelve. */
function newFormat(locale: string, timeZone: string, withZone: boolean): Intl.DateTimeFormat {
  const languages = isLanguage(locale) ? [locale, 'en-GB'] : ['en-GB'];
  const { hour12 } = new Intl.DateTimeFormat(languages, { hour: 'numeric' }).resolvedOptions();
  return new Intl.DateTimeFormat(languages, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: hour12 ? 'numeric' : '2-digit',
    minute: '2-digit',
    ...(withZone && { timeZoneName: 'short' }),
  });
}

/** A tag may look right and be none; then British English is read by most. */
function isLanguage(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}
