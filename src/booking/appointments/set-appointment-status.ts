import type { EventType } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { aboutContact } from '../../contacts/contact.store.ts';
import { canBecome, type AppointmentStatus } from './appointment-status.ts';
import {
  appointmentCompleted,
  appointmentConfirmed,
  appointmentNoShow,
} from './appointment.events.ts';
import { transitionRefusal } from './booking-refusal.ts';
import { cancelHeld } from './cancel-appointment.ts';
import { lockAppointment } from './lock-appointment.ts';

/** Follows the table of transitions (contract 7); the status that it has already changes nothing. */
export async function setAppointmentStatus(
  work: Work,
  id: string,
  to: AppointmentStatus,
): Promise<void> {
  const held = await lockAppointment(work, id);
  const { status: from, startTime, contactId } = held;
  if (from === to) {
    return;
  }
  const hasStarted = startTime <= work.now.getTime();
  if (!canBecome(from, to, hasStarted)) {
    const why = canBecome(from, to, true) ? ' before it has started' : '';
    throw transitionRefusal(`an appointment that is ${from} cannot become ${to}${why}`);
  }
  if (to === 'cancelled') {
    return cancelHeld(work, held, null);
  }
  work.write(SET_STATUS, [work.subAccountId, id, to, work.now]);
  work.audit(id);
  const about = await aboutContact(work, contactId);
  const data = { appointmentId: id, status: to };
  await work.emit(TOLD_BY[to] as EventType<typeof data>, { ...about, data });
}

const TOLD_BY: Readonly<Record<string, EventType>> = {
  confirmed: appointmentConfirmed,
  completed: appointmentCompleted,
  no_show: appointmentNoShow,
};

const SET_STATUS = `update appointments set status = $3, updated_at = $4
  where sub_account_id = $1 and id = $2`;
