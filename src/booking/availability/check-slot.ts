import { judgeSlot } from '../../calendars/slots/judge-slot.ts';
import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { BusyTimes, Slot, Refusal } from '../../calendars/schedule.ts';
import { explainSlot } from '../../calendars/slots/explain-slot.ts';
import { dayAt, instantAt, zoneAround } from '../../calendars/slots/zone.ts';
import type { SlotTimes } from '../appointments/appointment.schema.ts';
import { loadBusyTimes, NO_BUSY_TIMES } from './busy-times.ts';

interface RequestedTimes extends SlotTimes {
  /** The appointment that is being moved: its own time is no conflict. */
  readonly except?: string;
}

/** A slot that was free when it was checked. */
export interface FreeSlot {
  readonly slot: Slot;
  /** The slot as JSON of the SQL type `slot_wish`, by which the writing statement checks it again. */
  readonly request: string;
}

/** Returns the slot with these times. Throws a Fault with the first reason against booking it. */
export async function checkSlot(
  work: Work,
  offer: Offer,
  requested: RequestedTimes,
): Promise<FreeSlot> {
  const { calendar, type } = offer;
  const { startTime: start, endTime: end } = requested;
  const times = { start, end, now: work.now.getTime() };
  // Opening hours, notice and duration need no query, so they are checked first.
  const unbooked = judgeSlot(calendar.schedule, type, NO_BUSY_TIMES, times);
  if (typeof unbooked === 'string' && unbooked !== 'slot_unavailable') {
    throw bookingRefusal(unbooked);
  }
  // Concurrent requests for one slot share the statement.
  const conflicts = await loadConflicts(work.readOutside, work.subAccountId, offer, requested);
  const slot = judgeSlot(calendar.schedule, type, conflicts.busy, times);
  if (typeof slot === 'string') {
    throw bookingRefusal(slot);
  }
  return { slot, request: slotRequest(work, offer, slot, conflicts.day) };
}

interface Conflicts {
  readonly busy: BusyTimes;
  /** The local day on which the slot starts. */
  readonly day: { readonly from: number; readonly until: number };
}

/** Returns everything booked that can conflict with one slot. */
async function loadConflicts(
  rows: View['rows'],
  subAccountId: string,
  { calendar: { id: calendarId, schedule }, type }: Offer,
  { startTime, endTime, except }: RequestedTimes,
): Promise<Conflicts> {
  const zone = zoneAround(schedule.timezone, startTime);
  const date = dayAt(zone, startTime);
  const day = { from: instantAt(zone, date, 0), until: instantAt(zone, date + 1, 0) };
  const window = blockedTime(schedule, startTime, endTime);
  const query = { calendarId, schedule, type, window, days: day, except };
  return { busy: await loadBusyTimes(rows, subAccountId, query), day };
}

function slotRequest(
  { now }: Work,
  { calendar: { schedule }, type }: Offer,
  slot: Slot,
  day: Conflicts['day'],
): string {
  const at = (ms: number) => new Date(ms).toISOString();
  const blocked = blockedTime(schedule, slot.start, slot.end);
  return JSON.stringify({
    kind: schedule.kind,
    wanted: slot.memberIds,
    blocked_from: at(blocked.from),
    blocked_until: at(blocked.until),
    seats: type.seats ?? 1,
    day_from: at(day.from),
    day_until: at(day.until),
    max_per_day: schedule.maxPerDay,
    asked_at: now.toISOString(),
  });
}

/** A slot's time with the calendar's buffers around it. */
const blockedTime = (
  { bufferBefore, bufferAfter }: Offer['calendar']['schedule'],
  start: number,
  end: number,
) => ({ from: start - bufferBefore * MINUTE_MS, until: end + bufferAfter * MINUTE_MS });

/** Explains whether a start can be booked now: with which members, or against which rule. */
export async function explainStart(view: View, offer: Offer, startTime: number) {
  const { calendar, type } = offer;
  const times = { startTime, endTime: startTime + type.duration * MINUTE_MS };
  const { busy } = await loadConflicts(view.rows, view.subAccountId, offer, times);
  const team = await view.rows<{ id: string; name: string }>(TEAM, [view.subAccountId]);
  const names = new Map(team.map(({ id, name }) => [id, name]));
  return explainSlot({
    schedule: calendar.schedule,
    type,
    busy,
    start: startTime,
    now: view.now.getTime(),
    nameOf: (memberId) => names.get(memberId) ?? calendar.name,
  });
}

const TEAM = 'select id, name from team_members where sub_account_id = $1';

const MESSAGES: Readonly<Record<Refusal, string>> = {
  invalid_duration: 'endTime must be startTime plus the duration of the appointment type',
  slot_in_past: 'the slot has already started',
  too_soon: 'the slot starts sooner than the notice that the calendar requires',
  too_far_ahead: 'the slot is further ahead than the calendar accepts bookings',
  date_unavailable: 'the calendar is closed on that date',
  day_unavailable: 'the calendar is closed on that day of the week',
  outside_hours: 'the slot is outside the opening hours',
  day_full: 'the calendar accepts no more appointments on that date',
  slot_unavailable: 'the slot is not available',
};

/** Returns the fault of a refused booking, with the reason in `details.reason` (spec "Errors"). */
export const bookingRefusal = (reason: Refusal): Fault =>
  new Fault('VALIDATION_ERROR', MESSAGES[reason], { reason });

/** Maps the constraints that fail when another booking takes the slot first. */
export function mapSlotConstraints(work: Work): void {
  work.mapConstraint('appointments_day_full', () => bookingRefusal('day_full'));
  work.mapConstraint('appointment_blocks_overlap', () => bookingRefusal('slot_unavailable'));
  // The only member who was free for the slot has left the team.
  work.mapConstraint('appointments_assigned_to_fkey', () => bookingRefusal('slot_unavailable'));
}
