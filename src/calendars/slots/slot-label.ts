import { MINUTE_MS } from '#lib/duration.ts';
import { boundedCache } from '#lib/bounded-cache.ts';
import { offsetAt, zoneAround } from './zone.ts';

/** Creating a formatter costs 50 µs, and all slots of a month use the same one. */
const formats = boundedCache<Intl.DateTimeFormat>(200);

/** More than daylight-saving time moves any clock. */
const NEARBY_MS = 180 * MINUTE_MS;

/**
 * Returns a start in the calendar's zone: `Mon, 2 Nov 2026, 09:00`. In an hour that the clocks repeat
 * the label names the offset: `Sun, 25 Oct 2026, 02:30 CEST`. `isZoneNamed` always names it.
 */
export function slotLabel(
  start: number,
  timezone: string,
  locale: string,
  isZoneNamed = false,
): string {
  const withZone = isZoneNamed || isRepeated(start, timezone);
  const key = `${locale} ${timezone} ${withZone}`;
  const label = formats(key, () => newFormat(locale, timezone, withZone)).format(start);
  // Some locales put a narrow no-break space before "PM": it would switch a text message to UCS-2, with half the characters per part.
  return label.replaceAll('\u202F', ' ');
}

function isRepeated(start: number, timezone: string): boolean {
  const zone = zoneAround(timezone, start);
  const here = offsetAt(zone, start);
  const isSameTime = (there: number) =>
    there !== here && offsetAt(zone, start + here - there) === there;
  return (
    isSameTime(offsetAt(zone, start - NEARBY_MS)) || isSameTime(offsetAt(zone, start + NEARBY_MS))
  );
}

/** `09:00` in locales with a 24-hour clock, `9:00 AM` in the others. */
function newFormat(locale: string, timeZone: string, withZone: boolean): Intl.DateTimeFormat {
  const languages = isLocale(locale) ? [locale, 'en-GB'] : ['en-GB'];
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

/** Some strings match the pattern of a locale without being one: they fall back to British English. */
function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}
