import ICAL from 'ical.js';
import type { BusyQuestion, Period } from './busy-in.ts';
import { instantOf, zoneNameOf } from './event-time.ts';

/** A daily event of thirty years ago is at its eleven thousandth time. */
const STEPS_MAX = 50_000;

/** The times of one event with its exceptions, all of which have its UID. */
export function* occurrencesIn(
  group: readonly ICAL.Component[],
  question: BusyQuestion,
): Generator<Period> {
  const masters = group.filter((one) => !one.hasProperty('recurrence-id'));
  const exceptions = group.filter((one) => one.hasProperty('recurrence-id'));
  for (const exception of exceptions) {
    yield* once(exception, question);
  }
  for (const master of masters) {
    if (master.hasProperty('rrule') || master.hasProperty('rdate')) {
      yield* repeated(master, exceptions, question);
    } else {
      yield* once(master, question);
    }
  }
}

function* once(component: ICAL.Component, { timezone }: BusyQuestion): Generator<Period> {
  const event = new ICAL.Event(component, { exceptions: [] });
  if (!isTaking(component) || !component.hasProperty('dtstart')) {
    return;
  }
  const zone = zoneNameOf(component.getFirstProperty('dtstart'));
  const endZone = zoneNameOf(component.getFirstProperty('dtend')) ?? zone;
  yield {
    from: instantOf(event.startDate, zone, timezone),
    until: instantOf(event.endDate, endZone, timezone),
  };
}

/** Iterates over times of day, so that an event stays at its hour when the clocks change. */
function* repeated(
  master: ICAL.Component,
  exceptions: readonly ICAL.Component[],
  { until, timezone }: BusyQuestion,
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
    // What an exception says of itself was told already.
    const isExcepted = item !== event && item.recurrenceId.compare(recurrenceId) === 0;
    if (!isExcepted && isTaking(item.component)) {
      yield { from, until: instantOf(endDate, zone, timezone) };
    }
  }
}

function isTaking(component: ICAL.Component): boolean {
  const said = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return said('transp') !== 'TRANSPARENT' && said('status') !== 'CANCELLED';
}
