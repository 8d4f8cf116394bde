import { jsonObject } from '#core/schema/json.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import type { View } from '#core/work.ts';
import { encodeList } from '#lib/encode-list.ts';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { bookableCalendars, type BookableCalendar } from '../../calendars/offers.ts';
import { daysOf } from '../../calendars/slots/slots-of.ts';
import { assertRange, dateAfter, daysIn, type AvailabilityQuery } from './availability.schema.ts';
import { findOpeningHours, type HoursRow } from './opening-hours.ts';
import { readTaken } from './taken-times.ts';

type Dates = Pick<AvailabilityQuery, 'date' | 'endDate'>;

/** Each takes up to ten megabytes. */
const BUILDS_AT_ONCE = 8;

const builds = openGate({ shares: openShares<string>(BUILDS_AT_ONCE) });

/**
 * Returns what shapes the days of the sub-account's zone, its end included: opening hours, busy times of
 * external calendars, slots held for the waiting list, and buffers around appointments. Names the classes.
 * Ends after as many whole days as fit in 4 MB, or within the first one.
 */
export async function findSchedule(view: View, dates: Dates): Promise<Reply> {
  assertRange(dates);
  return builds.run(view.subAccountId, () => buildSchedule(view, dates));
}

/** The rest is left for hours and taken times. */
const CLASSES_BYTES = 250_000;

async function buildSchedule(view: View, dates: Dates): Promise<Reply> {
  const { subAccountId } = view;
  const timezone = await zoneOfSubAccount(view);
  const days = Array.from({ length: daysIn(dates) }, (_, index) => {
    const date = dateAfter(dates.date, index);
    return daysOf(timezone, { from: date, to: date });
  });
  const calendars = await bookableCalendars(view);
  const members = calendars.flatMap(({ schedule }) => schedule.members);
  const memberIds = [...new Set(members.map(({ memberId }) => memberId))];
  const open = await findOpeningHours(subAccountId, calendars, days);
  const taken = await readTaken(view, memberIds, days.slice(0, open.days));
  const classes = await encodeList(subAccountId, classesIn(calendars), CLASSES_BYTES);
  const until = days[taken.days - 1]?.until ?? 0;
  const groups = await encodeList(subAccountId, open.groups, Infinity);
  const hours = await encodeList(subAccountId, hoursUntil(open.rows, until), Infinity);
  return {
    data: jsonObject({
      groups: groups.data,
      hours: hours.data,
      taken: taken.data,
      classes: classes.data,
    }),
    meta: {
      days: days.length,
      daysReturned: taken.days,
      truncated: open.isCut || taken.isCut || classes.isCut,
    },
  };
}

/** Yields the types whose starts have several seats. */
function* classesIn(calendars: readonly BookableCalendar[]) {
  for (const { kind, types } of calendars) {
    for (const { id, name, seats } of kind === 'class' ? types : []) {
      yield { appointmentTypeId: id, name, seats: seats ?? 1 };
    }
  }
}

function* hoursUntil(rows: readonly HoursRow[], end: number) {
  for (const { calendarId, group, from, until } of rows) {
    if (from < end) {
      const endTime = new Date(Math.min(until, end)).toISOString();
      yield { calendarId, group, startTime: new Date(from).toISOString(), endTime };
    }
  }
}
