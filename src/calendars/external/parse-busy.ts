import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import ICAL from 'ical.js';
import { FORMATS } from '#core/schema/formats.ts';
import { instantAt, zoneAround } from '../slots/zone.ts';

/** Epoch milliseconds, the end excluded. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface BusyQuery {
  readonly from: number;
  readonly until: number;
  /** Applies to times without a zone, and to all-day events. */
  readonly timezone: string;
  /** UIDs of our appointments' events, which are skipped. */
  readonly own: readonly string[];
}

/** More than any person's calendar has. */
const PERIODS_MAX = 20_000;

/**
 * Returns the busy times of calendar files, in any order: events that are neither cancelled nor marked as
 * free, recurring ones at each occurrence (RFC 5545). Throws if a text is not a calendar, or if there are
 * too many.
 */
export function parseBusy(texts: readonly string[], query: BusyQuery): Period[] {
  const own = new Set(query.own);
  const found: Period[] = [];
  for (const calendar of texts.flatMap(calendarsIn)) {
    const events = calendar
      .getAllSubcomponents('vevent')
      .filter((event) => !own.has(String(event.getFirstPropertyValue('uid'))));
    for (const period of [...periodsOf(events, query), ...freeBusyOf(calendar, query)]) {
      if (period.until > query.from && period.from < query.until) {
        found.push(period);
      }
      if (found.length > PERIODS_MAX) {
        throw new Error(`it has more than ${PERIODS_MAX} busy times`);
      }
    }
  }
  return found;
}

/** A file may contain several calendars. */
function calendarsIn(text: string): ICAL.Component[] {
  const parsed = parse(text) as unknown[];
  const roots = typeof parsed[0] === 'string' ? [parsed] : (parsed as unknown[][]);
  return roots.map((root) => new ICAL.Component(root as any));
}

/** Leaves out events that cannot be parsed: one of them must not hide all the others. */
function parse(text: string): unknown {
  try {
    return ICAL.parse(text);
  } catch {
    return ICAL.parse(text.replaceAll(EVENT, (event) => (isReadable(event) ? event : '')));
  }
}

const EVENT = /^BEGIN:VEVENT\r?\n[^]*?^END:VEVENT\r?\n/gim;

function isReadable(event: string): boolean {
  try {
    return Boolean(ICAL.parse(`BEGIN:VCALENDAR\r\n${event}END:VCALENDAR`));
  } catch {
    return false;
  }
}

function periodsOf(events: readonly ICAL.Component[], query: BusyQuery): Period[] {
  const byUid = Map.groupBy(events, (event) => String(event.getFirstPropertyValue('uid')));
  return [...byUid.values()].flatMap((group) => {
    try {
      return [...occurrencesIn(group, query)];
    } catch {
      return [];
    }
  });
}

/** Some servers publish VFREEBUSY instead of events. */
function* freeBusyOf(calendar: ICAL.Component, { timezone }: BusyQuery): Generator<Period> {
  for (const component of calendar.getAllSubcomponents('vfreebusy')) {
    for (const property of component.getAllProperties('freebusy')) {
      const isFree = String(property.getParameter('fbtype') ?? 'BUSY').toUpperCase() === 'FREE';
      for (const value of isFree ? [] : property.getValues()) {
        const period = value as ICAL.Period;
        const zone = zoneNameOf(property);
        yield {
          from: instantOf(period.start, zone, timezone),
          until: instantOf(period.getEnd(), zone, timezone),
        };
      }
    }
  }
}

/** A daily event from thirty years ago is at its 11,000th occurrence. */
const STEPS_MAX = 50_000;

/** Returns the occurrences of one event and its exceptions, which share its UID. */
function* occurrencesIn(group: readonly ICAL.Component[], query: BusyQuery): Generator<Period> {
  const masters = group.filter((one) => !one.hasProperty('recurrence-id'));
  const exceptions = group.filter((one) => one.hasProperty('recurrence-id'));
  for (const exception of exceptions) {
    yield* once(exception, query);
  }
  for (const master of masters) {
    if (master.hasProperty('rrule') || master.hasProperty('rdate')) {
      yield* repeated(master, exceptions, query);
    } else {
      yield* once(master, query);
    }
  }
}

function* once(component: ICAL.Component, { timezone }: BusyQuery): Generator<Period> {
  const event = new ICAL.Event(component, { exceptions: [] });
  if (!isBusy(component) || !component.hasProperty('dtstart')) {
    return;
  }
  const zone = zoneNameOf(component.getFirstProperty('dtstart'));
  const endZone = zoneNameOf(component.getFirstProperty('dtend')) ?? zone;
  yield {
    from: instantOf(event.startDate, zone, timezone),
    until: instantOf(event.endDate, endZone, timezone),
  };
}

/** Iterates over local times, so that an event keeps its hour when the clocks change. */
function* repeated(
  master: ICAL.Component,
  exceptions: readonly ICAL.Component[],
  { until, timezone }: BusyQuery,
): Generator<Period> {
  if (!master.hasProperty('dtstart')) {
    return;
  }
  const event = new ICAL.Event(master, { exceptions: [...exceptions] });
  const zone = zoneNameOf(master.getFirstProperty('dtstart'));
  const iterator = event.iterator();
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = iterator.next();
    if (!next) {
      return;
    }
    const { item, recurrenceId, startDate, endDate } = event.getOccurrenceDetails(next);
    const from = instantOf(startDate, zone, timezone);
    if (instantOf(next, zone, timezone) >= until) {
      return;
    }
    // Exceptions are yielded separately.
    const isExcepted = item !== event && item.recurrenceId.compare(recurrenceId) === 0;
    if (!isExcepted && isBusy(item.component)) {
      yield { from, until: instantOf(endDate, zone, timezone) };
    }
  }
}

function isBusy(component: ICAL.Component): boolean {
  const valueOf = (name: string) =>
    String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return valueOf('transp') !== 'TRANSPARENT' && valueOf('status') !== 'CANCELLED';
}

/** Returns the time zone that a property names, or undefined if it is not a known one. */
function zoneNameOf(property: ICAL.Property | null): string | undefined {
  const name = property?.getParameter('tzid');
  return typeof name === 'string' && FORMATS['time-zone']?.test(name) ? name : undefined;
}

/**
 * Returns the instant of an event's time: in the zone that it names if that is known, else by the
 * VTIMEZONE of the calendar, else as a local time in `timezone`.
 */
function instantOf(time: ICAL.Time, named: string | undefined, timezone: string): number {
  const { year, month, day, hour, minute, second, zone } = time;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  if (!time.isDate && zone?.tzid === 'UTC') {
    return local;
  }
  const isFloating = time.isDate || zone === null || zone?.tzid === 'floating';
  if (!isFloating && named === undefined) {
    return time.toUnixTime() * 1_000;
  }
  const days = Math.floor(local / DAY_MS);
  const within = local - days * DAY_MS;
  const zoneName = (time.isDate ? undefined : named) ?? timezone;
  return instantAt(zoneAround(zoneName, local), days, within / MINUTE_MS);
}
