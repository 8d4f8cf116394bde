import ICAL from 'ical.js';
import { DAY_MS } from '#lib/duration.ts';
import { momentOf, type Clock, type Clocks, type Moment, type Period } from './event-clock.ts';
import { ruleOf, type Rule } from './expand-rule.ts';
import { propertiesOf, type Lines, type Property } from './read-components.ts';

/** Added to the set of a series, with a length of its own if it is a period. */
interface AddedTime {
  readonly moment: Moment;
  readonly lengthMs: number | undefined;
}

export interface CalendarEvent {
  readonly start: Moment;
  /** Without its recurrences. */
  readonly period: Period;
  /** The one of its start. */
  readonly clock: Clock;
  /** By the clock on the wall: an event keeps its hours when the clocks change. */
  readonly lengthMs: number;
  readonly isBusy: boolean;
  /** The occurrence that it replaces. It replaces none if this cannot be read. */
  readonly replaces:
    | { readonly moment: Moment | undefined; readonly andLater: boolean }
    | undefined;
  readonly rules: readonly Rule[];
  readonly added: readonly AddedTime[];
  readonly excluded: readonly Moment[];
  readonly excludedRules: readonly Rule[];
  /** The line that could not be read; the event then has fewer times than it should. */
  readonly unread: string | undefined;
}

/** What an event is read with: the zones of its calendar, and the clock of times without a zone. */
export interface EventContext {
  readonly clocks: Clocks;
  readonly floating: Clock;
}

/** Returns an event, or undefined if it has no start. Throws if its start or end cannot be read. */
export function readEvent(lines: Lines, context: EventContext): CalendarEvent | undefined {
  const properties = propertiesOf(lines);
  const all = (name: string) => properties.filter((one) => one.name === name);
  const [dtstart] = all('DTSTART');
  if (!dtstart) {
    return undefined;
  }
  const { clocks, floating } = context;
  const start = momentOf(dtstart.value, dtstart, clocks);
  const clock = start.clock ?? floating;
  const [recurrenceId] = all('RECURRENCE-ID');
  const rules = attempt(all('RRULE'), ({ value }) => [ruleOf(value)]);
  const added = attempt(all('RDATE'), (one) => addedBy(one, clock, clocks));
  return {
    start,
    clock,
    ...lengthOf(start, clock, all, clocks),
    isBusy: isBusy(all),
    replaces: recurrenceId && {
      moment: attempt([recurrenceId], (one) => [momentOf(one.value, one, clocks)]).found[0],
      andLater: recurrenceId.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    },
    rules: rules.found,
    added: added.found,
    // Without them, too many times are busy, not too few.
    excluded: attempt(all('EXDATE'), (one) =>
      one.value.split(',').map((text) => momentOf(text, one, clocks)),
    ).found,
    excludedRules: attempt(all('EXRULE'), ({ value }) => [ruleOf(value)]).found,
    unread: rules.unread ?? added.unread,
  };
}

type AllOf = (name: string) => readonly Property[];

/** Returns what can be read of properties, and the first line that cannot. */
function attempt<T>(properties: readonly Property[], read: (one: Property) => T[]) {
  let unread: string | undefined;
  const found = properties.flatMap((one) => {
    try {
      return one.value === '' ? [] : read(one);
    } catch {
      unread ??= one.line;
      return [];
    }
  });
  return { found, unread };
}

function lengthOf(start: Moment, clock: Clock, all: AllOf, clocks: Clocks) {
  const [dtend] = all('DTEND');
  const [duration] = all('DURATION');
  const from = clock.instantOf(start.wall);
  if (dtend) {
    const end = momentOf(dtend.value, dtend, clocks);
    const until = (end.clock ?? clock).instantOf(end.wall);
    return { period: { from, until }, lengthMs: wallIn(clock, end) - start.wall };
  }
  const implied = start.isDate ? DAY_MS : 0;
  const lengthMs = duration ? durationMs(duration.value, duration) : implied;
  return { period: { from, until: clock.instantOf(start.wall + lengthMs) }, lengthMs };
}

function durationMs(text: string, { line }: Property): number {
  const seconds = ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds();
  if (!Number.isFinite(seconds)) {
    throw new Error(line);
  }
  return seconds * 1_000;
}

function isBusy(all: AllOf): boolean {
  const [transparency] = all('TRANSP');
  const [status] = all('STATUS');
  return (
    transparency?.value.toUpperCase() !== 'TRANSPARENT' &&
    status?.value.toUpperCase() !== 'CANCELLED'
  );
}

const addedBy = (property: Property, clock: Clock, clocks: Clocks): AddedTime[] =>
  property.value.split(',').map((text) => {
    const [from = '', end] = text.split('/');
    const moment = momentOf(from, property, clocks);
    const lengthMs = end === undefined ? undefined : periodMs(moment, end, property, clock, clocks);
    return { moment, lengthMs };
  });

/** Returns the length of a period that ends at a time, or after a duration. */
export function periodMs(
  from: Moment,
  end: string,
  property: Property,
  clock: Clock,
  clocks: Clocks,
): number {
  return /^[+-]?P/i.test(end)
    ? durationMs(end, property)
    : wallIn(clock, momentOf(end, property, clocks)) - wallIn(clock, from);
}

/** Returns the time on a clock; a time without a zone is one of that clock. */
export const wallIn = (clock: Clock, moment: Moment): number =>
  moment.clock === undefined || moment.clock === clock
    ? moment.wall
    : clock.wallOf(moment.clock.instantOf(moment.wall));
