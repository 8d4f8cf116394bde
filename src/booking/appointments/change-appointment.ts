import type { EventType } from '#core/event.ts';
import { Fault, orNotFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { findOffer, offerWith } from '../../calendars/offers.ts';
import { aboutContact } from '../../contacts/contact.store.ts';
import { bookingRefusal } from '../availability/booking-refusal.ts';
import { checkSlot, mapSlotConstraints } from '../availability/check-slot.ts';
import {
  appointmentCancelled,
  appointmentCompleted,
  appointmentConfirmed,
  appointmentNoShow,
  appointmentRescheduled,
} from './appointment.events.ts';
import {
  canBecome,
  isLive,
  type AppointmentMove,
  type AppointmentStatus,
} from './appointment.schema.ts';
import { epochColumn } from '#core/schema/columns.ts';

/** The columns that a change of an appointment depends on. */
export interface LockedAppointment {
  readonly id: string;
  readonly calendarId: string;
  readonly appointmentTypeId: string | null;
  readonly contactId: string | null;
  readonly assignedTo: string | null;
  readonly status: AppointmentStatus;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * Sets a status that the table of transitions allows (contract 7). Setting the current status changes
 * nothing. Throws VALIDATION_ERROR with the reason `invalid_transition` otherwise.
 */
export async function setAppointmentStatus(
  work: Work,
  id: string,
  to: AppointmentStatus,
): Promise<void> {
  const locked = await lockAppointment(work, id);
  const { status: from, startTime, contactId } = locked;
  if (from === to) {
    return;
  }
  const hasStarted = startTime <= work.now.getTime();
  if (!canBecome(from, to, hasStarted)) {
    const why = canBecome(from, to, true) ? ' before it has started' : '';
    throw transitionRefusal(`the appointment is ${from} and cannot become ${to}${why}`);
  }
  if (to === 'cancelled') {
    return cancelLocked(work, locked, null);
  }
  work.write(SET_STATUS, [work.subAccountId, id, to, work.now]);
  work.audit(id);
  const about = await aboutContact(work, contactId);
  const data = { appointmentId: id, status: to };
  await work.emit(EVENT_OF[to] as EventType<typeof data>, { ...about, data });
}

const EVENT_OF: Readonly<Record<string, EventType>> = {
  confirmed: appointmentConfirmed,
  completed: appointmentCompleted,
  no_show: appointmentNoShow,
};

const transitionRefusal = (message: string): Fault =>
  new Fault('VALIDATION_ERROR', message, { reason: 'invalid_transition' });

const SET_STATUS = `update appointments set status = $3, updated_at = $4
  where sub_account_id = $1 and id = $2`;

/** Cancels an appointment of any status (spec "States"); a cancelled one stays as it is. */
export async function cancelAppointment(
  work: Work,
  id: string,
  reason: string | null,
): Promise<void> {
  const locked = await lockAppointment(work, id);
  if (locked.status !== 'cancelled') {
    await cancelLocked(work, locked, reason);
  }
}

/** Cancels a locked appointment that is not cancelled yet, and frees its slot. */
export async function cancelLocked(
  work: Work,
  { id, contactId }: LockedAppointment,
  reason: string | null,
): Promise<void> {
  work.write(CANCEL, [work.subAccountId, id, reason, work.now]);
  work.write(FREE, [work.subAccountId, id]);
  work.audit(id);
  const data = { appointmentId: id, status: 'cancelled' as const };
  await work.emit(appointmentCancelled, { ...(await aboutContact(work, contactId)), data });
}

const CANCEL = `update appointments
  set status = 'cancelled', cancel_reason = $3, updated_at = $4
  where sub_account_id = $1 and id = $2`;

const FREE = 'delete from appointment_blocks where sub_account_id = $1 and appointment_id = $2';

/**
 * Moves a live appointment into another slot of its type. The slot is checked like a new booking's,
 * with the old time free; the assignee stays the same if they are free, unless `assignedTo` names another
 * one. A move to the same times and assignee changes nothing.
 */
export async function moveAppointment(work: Work, id: string, to: AppointmentMove): Promise<void> {
  const locked = await lockAppointment(work, id);
  const { status, contactId } = locked;
  if (!isLive(status)) {
    throw transitionRefusal(`the appointment is ${status} and cannot be moved`);
  }
  const { startTime, endTime, assignedTo: member = locked.assignedTo } = to;
  const isSameTime = startTime === locked.startTime && endTime === locked.endTime;
  if (isSameTime && member === locked.assignedTo) {
    return;
  }
  const found = await findOffer(work, locked.appointmentTypeId);
  if (!found) {
    throw bookingRefusal('slot_unavailable', []);
  }
  const offer = offerWith(found, to.assignedTo);
  const moved = { except: id, current: locked.startTime };
  const { request } = await checkSlot(work, offer, { startTime, endTime, ...moved });
  if (isSameTime && offer.calendar.schedule.kind === 'collective') {
    // All members have it already.
    return;
  }
  work.write(MOVE, [work.subAccountId, id, new Date(startTime), new Date(endTime), request]);
  mapSlotConstraints(work, { offer, startTime, ...moved });
  work.audit(id);
  const data = { appointmentId: id, startTime, endTime, status };
  await work.emit(appointmentRescheduled, { ...(await aboutContact(work, contactId)), data });
}

const MOVE = `select move_appointment($1, $2, $3, $4,
  json_populate_record(null::slot_wish, $5::json))`;

/** Locks an appointment until the work ends. Throws NOT_FOUND if there is none. */
export async function lockAppointment(work: Work, id: string): Promise<LockedAppointment> {
  const [locked] = await work.rows<LockedAppointment>(LOCK, [work.subAccountId, id]);
  return orNotFound(locked, 'appointment');
}

const LOCK = `select id, calendar_id as "calendarId", appointment_type_id as "appointmentTypeId",
    contact_id as "contactId", assigned_to as "assignedTo", status,
    ${epochColumn('start_time')} as "startTime",
    ${epochColumn('end_time')} as "endTime"
  from appointments where sub_account_id = $1 and id = $2 for update`;
