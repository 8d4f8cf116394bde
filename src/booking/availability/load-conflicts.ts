import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import type { BusyTimes } from '../../calendars/schedule.ts';
import { dayAt, instantAt, localDate, zoneAround } from '../../calendars/slots/zone.ts';
import type { SlotTimes } from '../appointments/appointment.schema.ts';
import { NOTHING_TAKEN, BUSY_TIMES, takenOf, takenValues, type TakenRow } from './busy-times.ts';

export interface ConflictsQuery extends SlotTimes {
  /** The appointment that is to be moved. */
  readonly except?: string;
}

/** What stands around a slot. */
export interface Surroundings {
  readonly taken: BusyTimes;
  /** The local day of its start. */
  readonly day: { readonly from: number; readonly until: number };
}

/** One statement, which all who want the slot at once share, for what a slot is judged by. */
export async function loadConflicts(
  subAccountId: string,
  rows: View['rows'],
  { calendar: { id: calendarId, schedule }, type }: Offer,
  { startTime, endTime, except }: ConflictsQuery,
): Promise<Surroundings> {
  const { timezone } = schedule;
  const zone = zoneAround(timezone, startTime);
  const date = dayAt(zone, startTime);
  const day = { from: instantAt(zone, date, 0), until: instantAt(zone, date + 1, 0) };
  const reach = {
    from: startTime - schedule.bufferBefore * MINUTE_MS,
    until: endTime + schedule.bufferAfter * MINUTE_MS,
  };
  const wanted = { calendarId, schedule, type, reach, days: day, except };
  const [found] = await rows<TakenRow>(LOOK, takenValues(subAccountId, wanted));
  const taken = found ? takenOnce(found, timezone) : NOTHING_TAKEN;
  return { taken, day };
}

const read = new WeakMap<TakenRow, BusyTimes>();

/** The row is one for all who share it, and names the calendar where dates matter. */
function takenOnce(found: TakenRow, timezone: string): BusyTimes {
  const taken = read.get(found) ?? takenOf(found, (one) => localDate(timezone, one));
  read.set(found, taken);
  return taken;
}

const LOOK = `select ${BUSY_TIMES}`;
