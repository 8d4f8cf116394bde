import ICAL from 'ical.js';
import { occurrencesIn } from './event-occurrences.ts';
import { instantOf, zoneNameOf } from './event-time.ts';

/** Epoch milliseconds, the end left out. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface BusyQuestion {
  readonly from: number;
  readonly until: number;
  /** For times that name no zone, and for days. */
  readonly timezone: string;
  /** UIDs of events that stand for appointments of ours. */
  readonly own: readonly string[];
}

/** More than that is no person's calendar. */
const PERIODS_MAX = 20_000;

/**
 * When whoever keeps a calendar is busy, in any order: events that are neither cancelled nor marked
 * as free, repeated ones at each of their times (RFC 5545). Throws where the text is no calendar.
 */
export function busyIn(text: string, question: BusyQuestion): Period[] {
  const own = new Set(question.own);
  const found: Period[] = [];
  for (const calendar of calendarsIn(text)) {
    const events = calendar
      .getAllSubcomponents('vevent')
      .filter((event) => !own.has(String(event.getFirstPropertyValue('uid'))));
    for (const period of [...periodsOf(events, question), ...freeBusyOf(calendar, question)]) {
      if (period.until > question.from && period.from < question.until) {
        found.push(period);
      }
      if (found.length > PERIODS_MAX) {
        throw new Error(`it has more than ${PERIODS_MAX} busy times`);
      }
    }
  }
  return found;
}

/** A file may hold several. */
function calendarsIn(text: string): ICAL.Component[] {
  const parsed = parse(text) as unknown[];
  const roots = typeof parsed[0] === 'string' ? [parsed] : (parsed as unknown[][]);
  return roots.map((root) => new ICAL.Component(root as any));
}

/** Events that no parser takes are left out: one must not hide all the others. */
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

function periodsOf(events: readonly ICAL.Component[], question: BusyQuestion): Period[] {
  const byUid = Map.groupBy(events, (event) => String(event.getFirstPropertyValue('uid')));
  return [...byUid.values()].flatMap((group) => {
    try {
      return [...occurrencesIn(group, question)];
    } catch {
      return [];
    }
  });
}

/** What some servers publish in the place of events. */
function* freeBusyOf(calendar: ICAL.Component, { timezone }: BusyQuestion): Generator<Period> {
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
