import { slices } from '#lib/in-slices.ts';
import type { BookableCalendar } from '../../calendars/offers.ts';
import type { Schedule } from '../../calendars/schedule.ts';
import { openingsOf } from '../../calendars/slots/openings.ts';
import { dayAt, zoneAround } from '../../calendars/slots/zone.ts';

/** A time in epoch milliseconds, its end excluded. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Opening hours of a calendar. */
export interface HoursRow extends Span {
  readonly calendarId: string;
  /** Which of the groups works then. */
  readonly group: number;
}

interface OpeningHours {
  /** Members who work at the same times; a calendar without members has its own id. */
  readonly groups: readonly (readonly string[])[];
  /** In the order of the days in which they begin. The last day may be incomplete. */
  readonly rows: readonly HoursRow[];
  /** How many of the days are whole; 1 if not even the first one is. */
  readonly days: number;
  readonly isCut: boolean;
}

/** What a row takes as JSON. */
const ROW_BYTES = 140;

/** What all of them may take, with their groups. */
const HOURS_BYTES = 1_000_000;

/**
 * Returns the opening hours of some consecutive days: of as many whole days as fit, or the first of one
 * day. Other work runs meanwhile: a calendar may have 200 members with 48 windows a day each.
 */
export async function findOpeningHours(
  subAccountId: string,
  calendars: readonly BookableCalendar[],
  days: readonly Span[],
): Promise<OpeningHours> {
  const slice = slices(subAccountId);
  const hours = openHours();
  const { from = 0 } = days[0] ?? {};
  const { until = 0 } = days.at(-1) ?? {};
  for (const [index, day] of days.entries()) {
    for (const { id, schedule } of calendars) {
      for (const opening of openingsFrom(schedule, day, { from, until })) {
        hours.add(id, opening);
      }
      if (hours.isFull()) {
        return hours.found(index);
      }
      const pause = slice();
      if (pause) {
        await pause;
      }
    }
  }
  return hours.found(days.length);
}

interface OpeningSpans {
  readonly memberIds: readonly string[];
  readonly spans: readonly Span[];
}

/** Gathers rows until they are full; `add` then ignores further ones. */
function openHours() {
  const groups = new Map<string, number>();
  const rows: HoursRow[] = [];
  let bytes = 0;
  const isFull = () => bytes > HOURS_BYTES;
  const groupOf = (key: string): number => {
    const group = groups.get(key) ?? groups.size;
    bytes += group === groups.size ? key.length : 0;
    groups.set(key, group);
    return group;
  };
  return {
    isFull,
    add(calendarId: string, { memberIds, spans }: OpeningSpans) {
      if (spans.length > 0 && !isFull()) {
        const group = groupOf(memberIds.join(' '));
        rows.push(...spans.map((span) => ({ calendarId, group, ...span })));
        bytes += spans.length * ROW_BYTES;
      }
    },
    found: (whole: number): OpeningHours => ({
      groups: [...groups.keys()].map((key) => key.split(' ')),
      rows,
      days: Math.max(1, whole),
      isCut: isFull(),
    }),
  };
}

/** Yields the openings with what begins on a day, or before the first day, of their stretches. */
function* openingsFrom(schedule: Schedule, day: Span, whole: Span): Generator<OpeningSpans> {
  const { timezone } = schedule;
  const zone = zoneAround(timezone, whole.from);
  // The days are those of the calendar's own zone: the first and the last reach out of the span.
  const last = dayAt(zoneAround(timezone, whole.until), day.until - 1);
  for (let local = dayAt(zone, day.from); local <= last; local += 1) {
    const openings = openingsOf(schedule, zone, local);
    for (const { memberIds, stretches } of typeof openings === 'string' ? [] : openings) {
      const spans = stretches
        .map(({ start, end }) => ({
          from: Math.max(start, whole.from),
          until: Math.min(end, whole.until),
        }))
        .filter(({ from, until }) => from < until && from >= day.from && from < day.until);
      yield { memberIds: [...memberIds], spans };
    }
  }
}
