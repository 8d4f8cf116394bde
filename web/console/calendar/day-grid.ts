import {
  CalendarDate,
  CalendarDateTime,
  fromAbsolute,
  toZoned,
  type ZonedDateTime,
} from '@internationalized/date';

const HOURS_OF_DAY = 24;
const MINUTES_OF_HOUR = 60;
const HOUR_MS = 3_600_000;

/** An hour of the clock. When clocks are set back, an hour comes twice: the second one is a repeat. */
export interface HourRow {
  readonly hour: number;
  readonly isRepeat: boolean;
}

/** Whether a time is in the hour that comes a second time. */
function isRepeated(at: ZonedDateTime): boolean {
  const { year, month, day, hour, minute, second, millisecond, timeZone } = at;
  const date = toZoned(new CalendarDate(year, month, day), timeZone);
  const first = date.set({ hour, minute, second, millisecond }, 'earlier');
  return first.toDate().getTime() < at.toDate().getTime();
}

/** Returns the hours of the clock on the days, with those that come twice on one of them. */
export function rowsOf(days: readonly CalendarDate[], timeZone: string): readonly HourRow[] {
  const repeats = new Set(days.flatMap((day) => repeatedHours(day, timeZone)));
  return Array.from({ length: HOURS_OF_DAY }, (_, hour) => [
    { hour, isRepeat: false },
    ...(repeats.has(hour) ? [{ hour, isRepeat: true }] : []),
  ]).flat();
}

function repeatedHours(day: CalendarDate, timeZone: string): readonly number[] {
  const begin = startOf(day, timeZone);
  const hours = Math.round((endOf(day, timeZone) - begin) / HOUR_MS);
  return Array.from({ length: hours }, (_, index) =>
    fromAbsolute(begin + index * HOUR_MS, timeZone),
  ).flatMap((at) => (isRepeated(at) ? [at.hour] : []));
}

/** The first moment of a day. */
export const startOf = (day: CalendarDate, timeZone: string): number =>
  toZoned(day, timeZone).toDate().getTime();

/** The first moment after a day, which may have 23 or 25 hours. */
export const endOf = (day: CalendarDate, timeZone: string): number =>
  startOf(day.add({ days: 1 }), timeZone);

export interface Span {
  readonly startTime: string;
  readonly endTime: string;
}

export interface Place {
  /** In rows from the top. */
  readonly top: number;
  readonly height: number;
}

/** Returns where the part of an appointment that is on the day belongs; undefined without one. */
export function placeOf(
  { startTime, endTime }: Span,
  day: CalendarDate,
  rows: readonly HourRow[],
  timeZone: string,
): Place | undefined {
  const begin = Math.max(Date.parse(startTime), startOf(day, timeZone));
  const end = Math.min(Date.parse(endTime), endOf(day, timeZone));
  if (begin >= end) {
    return undefined;
  }
  const top = rowAt(begin, rows, timeZone);
  const isUntilMidnight = end === endOf(day, timeZone);
  const bottom = isUntilMidnight ? rows.length : rowAt(end, rows, timeZone);
  return { top, height: bottom - top };
}

function rowAt(ms: number, rows: readonly HourRow[], timeZone: string): number {
  const at = fromAbsolute(ms, timeZone);
  const isRepeat = isRepeated(at);
  const index = rows.findIndex((row) => row.hour === at.hour && row.isRepeat === isRepeat);
  return index + at.minute / MINUTES_OF_HOUR;
}

/**
 * Returns the moment at a distance from the top, in rows; undefined in an hour that the day does not
 * have: it is skipped, or comes twice on another day of the week only.
 */
export function timeAt(
  day: CalendarDate,
  row: number,
  rows: readonly HourRow[],
  timeZone: string,
): number | undefined {
  const found = rows[Math.floor(row)];
  if (found === undefined) {
    return undefined;
  }
  const { hour, isRepeat } = found;
  const minute = Math.floor((row % 1) * MINUTES_OF_HOUR);
  const clock = new CalendarDateTime(day.year, day.month, day.day, hour, minute);
  const first = toZoned(clock, timeZone, 'earlier');
  const at = isRepeat ? toZoned(clock, timeZone, 'later') : first;
  const isMissing = at.hour !== hour || (isRepeat && at.compare(first) === 0);
  return isMissing ? undefined : at.toDate().getTime();
}

/** Returns the hours that the day does not have. */
export const missingRows = (
  day: CalendarDate,
  rows: readonly HourRow[],
  timeZone: string,
): readonly Place[] =>
  rows.flatMap((_, top) =>
    timeAt(day, top, rows, timeZone) === undefined ? [{ top, height: 1 }] : [],
  );

/** Returns the parts of a day that no span covers. */
export function gapsOf(
  spans: readonly Span[],
  day: CalendarDate,
  timeZone: string,
): readonly Span[] {
  const end = endOf(day, timeZone);
  const gaps: Span[] = [];
  let from = startOf(day, timeZone);
  const add = (until: number) => {
    if (from < until) {
      gaps.push({
        startTime: new Date(from).toISOString(),
        endTime: new Date(until).toISOString(),
      });
    }
  };
  for (const span of spans.toSorted((one, other) => one.startTime.localeCompare(other.startTime))) {
    add(Math.min(Date.parse(span.startTime), end));
    from = Math.max(from, Date.parse(span.endTime));
  }
  add(end);
  return gaps;
}

export interface Laned<T> {
  readonly item: T;
  /** Which of the columns side by side. */
  readonly lane: number;
  /** How many there are. */
  readonly lanes: number;
}

/** Puts appointments that overlap side by side. */
export function laneOf<T extends Span>(items: readonly T[]): readonly Laned<T>[] {
  const sorted = items.toSorted((one, other) => one.startTime.localeCompare(other.startTime));
  const groups: { item: T; lane: number }[][] = [];
  let groupEnd = -Infinity;
  let ends: number[] = [];
  for (const item of sorted) {
    const begin = Date.parse(item.startTime);
    if (begin >= groupEnd) {
      groups.push([]);
      ends = [];
    }
    const free = ends.findIndex((end) => end <= begin);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = Date.parse(item.endTime);
    groupEnd = Math.max(...ends);
    groups.at(-1)?.push({ item, lane });
  }
  return groups.flatMap((group) => {
    const lanes = Math.max(...group.map(({ lane }) => lane)) + 1;
    return group.map(({ item, lane }) => ({ item, lane, lanes }));
  });
}

/** A part of a column's width, from 0 to 1. */
interface Lane {
  readonly left: number;
  readonly width: number;
}

interface Taken extends Span {
  readonly kind: 'busy' | 'reserved' | 'buffer';
  readonly memberId: string;
}

/**
 * Returns where taken time is drawn: a buffer in the lane of the appointment that it belongs to, other
 * time in that of its member.
 */
export function laneOfTaken(
  { kind, memberId, startTime, endTime }: Taken,
  members: readonly { readonly id: string }[],
  placed: readonly Laned<Span & { readonly assignedTo: string | null }>[],
): Lane {
  const own =
    kind === 'buffer'
      ? placed.find(
          ({ item }) =>
            item.assignedTo === memberId &&
            (isSameTime(item.endTime, startTime) || isSameTime(item.startTime, endTime)),
        )
      : undefined;
  const count = own?.lanes ?? Math.max(1, members.length);
  const memberLane = Math.max(
    0,
    members.findIndex(({ id }) => id === memberId),
  );
  return { left: (own?.lane ?? memberLane) / count, width: 1 / count };
}

const isSameTime = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other);
