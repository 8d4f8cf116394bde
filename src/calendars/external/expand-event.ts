import { DAY_MS } from '#lib/duration.ts';
import { momentOf, type Moment, type Period } from './event-clock.ts';
import { SeriesTooLong, timesOf, type Rule, type WallWindow } from './expand-rule.ts';
import { wallIn, type CalendarEvent } from './read-event.ts';

/** No zone is further from UTC. */
const OFFSET_MAX_MS = DAY_MS;

/** From this occurrence on, the series has other times. */
interface Change {
  readonly from: number;
  readonly shiftMs: number;
  readonly event: CalendarEvent;
}

/**
 * Yields the busy times of a series in a window, and at least all of them; `replacements` have their own.
 * Counts in wall times, so that an event keeps its hour when the clocks change.
 */
export function* occurrencesOf(
  series: CalendarEvent,
  replacements: readonly CalendarEvent[],
  window: Period,
): Generator<Period> {
  const { clock } = series;
  const changes = changesOf(series, replacements);
  if (!series.isBusy && changes.length === 0) {
    return;
  }
  const walls = wallWindow(series, changes, window);
  const isReplaced = matcher(
    series,
    replacements.flatMap(({ replaces }) => replaces?.moment ?? []),
  );
  const isExcluded = excludedFrom(series, walls);
  const seen = new Set<number>();
  for (const { wall, lengthMs } of startsOf(series, walls)) {
    if (seen.has(wall) || isReplaced(wall) || isExcluded(wall)) {
      continue;
    }
    seen.add(wall);
    const change = changes.findLast(({ from }) => from <= wall);
    if ((change?.event ?? series).isBusy) {
      const from = wall + (change?.shiftMs ?? 0);
      const until = from + (change?.event.lengthMs ?? lengthMs);
      yield { from: clock.instantOf(from), until: clock.instantOf(until) };
    }
  }
}

function changesOf(series: CalendarEvent, replacements: readonly CalendarEvent[]): Change[] {
  return replacements
    .flatMap((event) => {
      const { moment, andLater } = event.replaces ?? {};
      const from = moment && wallIn(series.clock, moment);
      const start = wallIn(series.clock, { ...event.start, clock: event.clock });
      return andLater && from !== undefined ? { from, shiftMs: start - from, event } : [];
    })
    .sort((one, other) => one.from - other.from);
}

/** Wide enough for all zones, and for occurrences that begin before the window or are moved into it. */
function wallWindow(
  { lengthMs, added }: CalendarEvent,
  changes: readonly Change[],
  { from, until }: Period,
): WallWindow {
  const shifts = changes.map(({ shiftMs, event }) => [shiftMs, event.lengthMs] as const);
  const lengths = added.map((one) => one.lengthMs ?? 0);
  const longest = [lengthMs, ...lengths, ...shifts.map(([shift, length]) => shift + length)].reduce(
    (one, other) => Math.max(one, other),
    0,
  );
  const earliest = shifts.reduce((least, [shift]) => Math.min(least, shift), 0);
  return { from: from - longest - OFFSET_MAX_MS, until: until - earliest + OFFSET_MAX_MS };
}

interface Start {
  readonly wall: number;
  readonly lengthMs: number;
}

/** The set of a series (RFC 5545, section 3.8.5): without a rule, its start is part of it. */
function* startsOf(series: CalendarEvent, walls: WallWindow): Generator<Start> {
  const { start, clock, lengthMs, rules, added } = series;
  for (const one of added) {
    yield { wall: wallIn(clock, one.moment), lengthMs: one.lengthMs ?? lengthMs };
  }
  if (rules.length === 0) {
    yield { wall: start.wall, lengthMs };
  }
  for (const rule of rules) {
    for (const wall of timesOf(rule.recur, start.wall, endingAt(rule, series, walls))) {
      yield { wall, lengthMs };
    }
  }
}

/** UNTIL is included. If it is a day, or the series has days, the whole day is. */
function endingAt({ until }: Rule, series: CalendarEvent, walls: WallWindow): WallWindow {
  if (until === undefined) {
    return walls;
  }
  const moment = momentOf(until, { ...UNTIL, line: `UNTIL=${until}` }, () => undefined);
  const wall = wallIn(series.clock, moment);
  const last =
    moment.isDate || series.start.isDate
      ? Math.floor(Math.max(wall, moment.wall) / DAY_MS + 1) * DAY_MS - 1
      : wall;
  return { from: walls.from, until: Math.min(walls.until, last + 1) };
}

const UNTIL = { name: 'UNTIL', parameters: new Map<string, string>(), value: '' };

function excludedFrom(series: CalendarEvent, walls: WallWindow): (wall: number) => boolean {
  const isExcluded = matcher(series, series.excluded);
  const byRule = new Set<number>();
  for (const rule of series.excludedRules) {
    try {
      for (const wall of timesOf(rule.recur, series.start.wall, endingAt(rule, series, walls))) {
        byRule.add(wall);
      }
    } catch (error) {
      if (error instanceof SeriesTooLong) {
        throw error;
      }
      // Without it, too many times are busy, not too few.
    }
  }
  return (wall) => isExcluded(wall) || byRule.has(wall);
}

/** Matches whole days if the series has days, or the moment is one. */
function matcher(series: CalendarEvent, moments: readonly Moment[]): (wall: number) => boolean {
  const times = new Set<number>();
  const days = new Set<number>();
  for (const moment of moments) {
    const wall = wallIn(series.clock, moment);
    if (moment.isDate || series.start.isDate) {
      days.add(Math.floor(wall / DAY_MS));
    } else {
      times.add(wall);
    }
  }
  return (wall) => times.has(wall) || days.has(Math.floor(wall / DAY_MS));
}
