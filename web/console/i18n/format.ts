import { useMemo } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useZone } from './zone.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Instant = number | string;

/** Dates, numbers and money in the user's language. */
export interface Format {
  /** `14:05`. */
  time(at: Instant): string;
  /** `GMT+1`. */
  offset(at: Instant): string;
  /** `Tue, 24 Nov`; with the year unless it is this one. */
  day(at: Instant): string;
  /** `24 Nov 2026`. */
  dayOfYear(at: Instant): string;
  /** `Tue, 24 Nov`, in every year. */
  weekday(at: Instant): string;
  /** `November 2026`. */
  month(at: Instant): string;
  /** `Tue, 24 Nov, 14:05`. */
  dayAndTime(at: Instant): string;
  /** `24 Nov, 14:05:09`. */
  exact(at: Instant): string;
  /** The shortest that tells when: a time today, a weekday this week, else a date. */
  short(at: Instant): string;
  /** `in 3 days`, `2 hours ago`. */
  relative(at: Instant, now?: number): string;
  money(value: number, currency: string): string;
  number(value: number): string;
  /** `30 minutes`, `2 hours`, `3 days`, of minutes. */
  duration(minutes: number): string;
  /** `48 kB`, `1.2 MB`. */
  bytes(count: number): string;
  /** Whether both are on one day here. */
  isSameDay(one: Instant, other: Instant): boolean;
}

const EXACT = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

/** Returns the formats of a locale in a zone. */
function formatOf(locale: string, timeZone: string): Format {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const time = dates({ hour: '2-digit', minute: '2-digit' });
  const thisYear = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const day = dates(thisYear);
  const month = dates({ month: 'long', year: 'numeric' });
  const dayOfYear = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const dayAndTime = dates({ ...thisYear, hour: '2-digit', minute: '2-digit' });
  const exact = dates(EXACT);
  const shortWeekday = dates({ weekday: 'short' });
  const date = dates({ day: 'numeric', month: 'short' });
  const key = dates({ year: 'numeric', month: 'numeric', day: 'numeric' });
  const isSameDay = (one: Instant, other: Instant) =>
    key.format(new Date(one)) === key.format(new Date(other));
  const year = dates({ year: 'numeric' });
  const isThisYear = (at: Date) => year.format(at) === year.format(new Date());
  return {
    time: (at) => time.format(new Date(at)),
    offset: (at) =>
      dates({ timeZoneName: 'shortOffset' })
        .formatToParts(new Date(at))
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
    day: (at) => (isThisYear(new Date(at)) ? day : dayOfYear).format(new Date(at)),
    dayOfYear: (at) => dayOfYear.format(new Date(at)),
    weekday: (at) => day.format(new Date(at)),
    month: (at) => month.format(new Date(at)),
    dayAndTime: (at) => dayAndTime.format(new Date(at)),
    exact: (at) => exact.format(new Date(at)),
    short(at) {
      const then = new Date(at);
      const agoMs = Date.now() - then.getTime();
      if (isSameDay(at, Date.now())) {
        return time.format(then);
      }
      if (agoMs > 0 && agoMs < 6 * DAY_MS) {
        return shortWeekday.format(then);
      }
      return (isThisYear(then) ? date : dayOfYear).format(then);
    },
    relative: relativeIn(locale),
    money: (value, currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        maximumFractionDigits: value % 1 === 0 ? 0 : 2,
      }).format(value),
    number: (value) => new Intl.NumberFormat(locale).format(value),
    bytes: (count) => bytesIn(locale, count),
    duration: (minutes) => durationIn(locale, minutes),
    isSameDay,
  };
}

function bytesIn(locale: string, count: number): string {
  const isSmall = count < 1_000_000;
  const value = isSmall ? Math.max(1, Math.round(count / 1_000)) : count / 1_000_000;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isSmall ? 'kilobyte' : 'megabyte',
    maximumFractionDigits: 1,
  }).format(value);
}

const MINUTES_OF_HOUR = 60;
const MINUTES_OF_DAY = 1_440;

/** In the largest unit that is whole. */
function durationIn(locale: string, minutes: number): string {
  const [unit, length] =
    minutes % MINUTES_OF_DAY === 0
      ? (['day', MINUTES_OF_DAY] as const)
      : minutes % MINUTES_OF_HOUR === 0
        ? (['hour', MINUTES_OF_HOUR] as const)
        : (['minute', 1] as const);
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(locale, options).format(minutes / length);
}

function relativeIn(locale: string): Format['relative'] {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return (at, now = Date.now()) => {
    const ms = new Date(at).getTime() - now;
    const size = Math.abs(ms);
    if (size < HOUR_MS) {
      return relative.format(Math.round(ms / MINUTE_MS), 'minute');
    }
    if (size < DAY_MS) {
      return relative.format(Math.round(ms / HOUR_MS), 'hour');
    }
    return relative.format(Math.round(ms / DAY_MS), 'day');
  };
}

/** Returns the formats of the current language, in the zone of the page unless another one is given. */
export function useFormat(timeZone?: string): Format {
  const { locale } = useLocale();
  const zone = useZone();
  return useMemo(() => formatOf(locale, timeZone ?? zone), [locale, timeZone, zone]);
}
