import { judgeSlot } from '../../calendars/slots/judge-slot.ts';
import type { View, Work } from '#core/work.ts';
import { epochColumn } from '#core/schema/columns.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { BusyTimes, Refusal, Slot } from '../../calendars/schedule.ts';
import { explainSlot, type ReservedBlock } from '../../calendars/slots/explain-slot.ts';
import { refuseStart, type RefusedStart } from './booking-refusal.ts';
import {
  loadBusyTimes,
  loadForBooking,
  NO_BUSY_TIMES,
  oncePerRead,
  type BusyTimesQuery,
} from './busy-times.ts';
import { blockedTime, conflictQuery, lookupOf, type RequestedTimes } from './slot-lookup.ts';

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
  const { only } = calendar.schedule;
  const { startTime: start, endTime: end, except, current } = requested;
  const refused = { offer, startTime: start, except, current };
  const times = { start, end, now: work.now.getTime(), current };
  // Opening hours, notice and duration need no query, so they are checked first.
  const unbooked = judgeSlot(calendar.schedule, type, NO_BUSY_TIMES, times);
  if (typeof unbooked === 'string' && unbooked !== 'slot_unavailable') {
    throw await refuseStart(readerOf(work), unbooked, refused);
  }
  // Concurrent requests for one slot share the statement, and what follows from its rows.
  const { values, day, near } = lookupOf(work.subAccountId, offer, requested, times.now);
  const { busy, later } = await loadForBooking(work, calendar.schedule, values);
  const slot = oncePerRead(judged, busy, `${type.id} ${start} ${end} ${current} ${only}`, () =>
    judgeSlot(calendar.schedule, type, busy, times),
  );
  if (typeof slot === 'string') {
    const firstDay = near && later && { search: near, busy: later };
    throw await refuseStart(readerOf(work), slot, refused, firstDay);
  }
  return { slot, request: slotRequest(work, offer, slot, day) };
}

/** Rules that depend on the time of the request were checked before. */
const judged = new WeakMap<BusyTimes, Map<string, Slot | Refusal>>();

const readerOf = ({ subAccountId, now, readOutside: rows }: Work) => {
  return { subAccountId, now, rows };
};

function slotRequest(
  { now }: Work,
  { calendar: { schedule }, type }: Offer,
  slot: Slot,
  day: BusyTimesQuery['days'],
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

/** An appointment that is to be moved: its time counts as free. */
export interface Moved {
  readonly except: string;
  /** Its start. */
  readonly current: number;
}

/** Explains whether a start can be booked now: with which members, or against which rule. */
export async function explainStart(view: View, offer: Offer, startTime: number, moved?: Moved) {
  const { calendar, type } = offer;
  const endTime = startTime + type.duration * MINUTE_MS;
  const times = { startTime, endTime, ...moved };
  const query = conflictQuery(offer, times);
  const busy = await loadBusyTimes(view.rows, view.subAccountId, query);
  const held = await view.rows<ReservedBlock>(HELD, [view.subAccountId, moved?.except ?? null]);
  const team = await view.rows<{ id: string; name: string }>(TEAM, [view.subAccountId]);
  const names = new Map(team.map(({ id, name }) => [id, name]));
  return explainSlot({
    schedule: calendar.schedule,
    type,
    busy,
    start: startTime,
    now: view.now.getTime(),
    current: moved?.current,
    held,
    nameOf: (memberId) => names.get(memberId) ?? calendar.name,
  });
}

/** The times of open offers, as in the busy times. */
const HELD = `select one as "memberId", ${epochColumn('lower(o.blocked)')} as "from",
    ${epochColumn('upper(o.blocked)')} as until, ${epochColumn('o.expires_at')} as "expiresAt",
    case when o.is_seat then json_build_object(
      'typeId', o.appointment_type_id, 'start', ${epochColumn('o.start_time')}) end as seat
  from waiting_offers o cross join unnest(o.member_ids) as one
  where o.sub_account_id = $1 and o.state = 'offered' and o.id is distinct from $2::uuid`;

const TEAM = 'select id, name from team_members where sub_account_id = $1';

/** Maps the constraints that fail when another booking takes the slot first. */
export function mapSlotConstraints(
  work: Work,
  refused: RefusedStart,
  refuse: typeof refuseStart = refuseStart,
): void {
  work.mapConstraint('appointments_day_full', (view) => refuse(view, 'day_full', refused));
  for (const constraint of [
    'appointment_blocks_overlap',
    // The only member who was free for the slot has left the team.
    'appointments_assigned_to_fkey',
  ]) {
    work.mapConstraint(constraint, (view) => refuse(view, 'slot_unavailable', refused));
  }
}
