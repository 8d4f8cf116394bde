import { counted } from '#lib/counted.ts';
import { clockIn, momentOf, openClocks, type KnownRules, type Period } from './event-clock.ts';
import { occurrencesOf } from './expand-event.ts';
import { SeriesTooLong } from './expand-rule.ts';
import { propertiesOf, readComponents, type CalendarLines, type Lines } from './read-components.ts';
import {
  periodMs,
  readEvent,
  wallIn,
  type CalendarEvent,
  type EventContext,
} from './read-event.ts';

export interface BusyQuery {
  readonly from: number;
  readonly until: number;
  /** Applies to times without a zone, and to all-day events. */
  readonly timezone: string;
  /** UIDs of our appointments' events, which are skipped. */
  readonly own: readonly string[];
}

export interface BusyTimes {
  readonly periods: readonly Period[];
  /** What could not be read, for operators: some busy times may be missing. */
  readonly unread: string | undefined;
}

/** More than any person's calendar has. */
const PERIODS_MAX = 20_000;

/**
 * Returns the busy times of calendar files, in any order: events that are neither cancelled nor marked as
 * free, recurring ones at each occurrence (RFC 5545). Throws if a text is not a calendar, if no event can
 * be read, or if there are too many times.
 */
export function parseBusy(texts: readonly string[], query: BusyQuery): BusyTimes {
  const result = openResult(query);
  const floating = clockIn(query.timezone);
  const known: KnownRules = new Map();
  for (const calendar of readComponents(texts)) {
    const context = { clocks: openClocks(calendar.zones, known), floating };
    for (const group of eventsByUid(calendar, query)) {
      addGroup(group, context, query, result);
    }
    for (const lines of calendar.freeBusy) {
      result.attempt(() => freeBusyOf(lines, context).forEach(result.add));
    }
  }
  return result.end();
}

function openResult({ from, until }: BusyQuery) {
  const periods: Period[] = [];
  let unread = 0;
  let read = 0;
  let first: string | undefined;
  const fail = (reason: string) => {
    unread += 1;
    first ??= reason;
  };
  return {
    fail,
    add(period: Period) {
      if (period.until > from && period.from < until) {
        periods.push(period);
      }
      if (periods.length > PERIODS_MAX) {
        throw new TooManyTimes();
      }
    },
    /** Returns undefined if an event cannot be read: one must not hide all the others. */
    attempt<T>(action: () => T): T | undefined {
      try {
        const result = action();
        read += 1;
        return result;
      } catch (error) {
        if (error instanceof TooManyTimes || error instanceof SeriesTooLong) {
          throw error;
        }
        fail((error as Error).message);
        return undefined;
      }
    },
    end(): BusyTimes {
      const message = `it has ${counted(unread, 'event')} that cannot be read: ${first}`;
      if (unread > 0 && read === 0) {
        throw new Error(message);
      }
      return { periods, unread: unread === 0 ? undefined : message };
    },
  };
}

class TooManyTimes extends Error {
  constructor() {
    super(`it has more than ${PERIODS_MAX} busy times`);
  }
}

/** A series and its exceptions share their UID. */
function eventsByUid({ events }: CalendarLines, query: BusyQuery): Lines[][] {
  const own = new Set(query.own);
  const byUid = Map.groupBy(events, uidOf);
  return [...byUid].flatMap(([uid, group]) => (own.has(uid) ? [] : [group]));
}

const uidOf = (lines: Lines): string =>
  lines
    .find((line) => /^UID[:;]/i.test(line))
    ?.replace(/^[^:]*:/, '')
    .trim() ?? '';

type Result = ReturnType<typeof openResult>;

function addGroup(group: readonly Lines[], context: EventContext, window: Period, result: Result) {
  const events = group.flatMap((lines) => result.attempt(() => readEvent(lines, context)) ?? []);
  const replacements = events.filter(({ replaces }) => replaces);
  for (const event of events) {
    const isSeries = !event.replaces && (event.rules.length > 0 || event.added.length > 0);
    if (event.unread !== undefined) {
      result.fail(event.unread);
    }
    const isExpanded =
      isSeries && result.attempt(() => addSeries(event, replacements, window, result));
    if (!isExpanded && event.isBusy) {
      result.add(event.period);
    }
  }
}

function addSeries(
  event: CalendarEvent,
  replacements: readonly CalendarEvent[],
  window: Period,
  result: Result,
): boolean {
  for (const period of occurrencesOf(event, replacements, window)) {
    result.add(period);
  }
  return true;
}

/** Some servers publish VFREEBUSY instead of events. */
function freeBusyOf(lines: Lines, { clocks, floating }: EventContext): Period[] {
  return propertiesOf(lines)
    .filter(({ parameters }) => parameters.get('FBTYPE')?.toUpperCase() !== 'FREE')
    .flatMap((property) =>
      property.value.split(',').map((text) => {
        const [start = '', end = ''] = text.split('/');
        const from = momentOf(start, property, clocks);
        const clock = from.clock ?? floating;
        const until = wallIn(clock, from) + periodMs(from, end, property, clock, clocks);
        return { from: clock.instantOf(from.wall), until: clock.instantOf(until) };
      }),
    );
}
