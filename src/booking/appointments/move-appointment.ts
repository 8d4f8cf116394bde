import type { Work } from '#core/work.ts';
import { findOffer } from '../../calendars/find-offer.ts';
import { aboutContact } from '../../contacts/contact.store.ts';
import { isLive } from './appointment-status.ts';
import { appointmentRescheduled } from './appointment.events.ts';
import type { SlotTimes } from './appointment.schema.ts';
import { bookingRefusal, transitionRefusal } from './booking-refusal.ts';
import { lockAppointment } from './lock-appointment.ts';
import { explainSlot, slotRequest } from '../availability/slot-request.ts';

/**
 * Moves a live appointment into another slot of its type, which is judged like one to be booked, with
 * the old one free. Who has it keeps it if he can. To where it is already, nothing happens.
 */
export async function moveAppointment(work: Work, id: string, times: SlotTimes): Promise<void> {
  const held = await lockAppointment(work, id);
  const { status, contactId } = held;
  if (!isLive(status)) {
    throw transitionRefusal(`an appointment that is ${status} cannot be moved`);
  }
  const { startTime, endTime } = times;
  if (startTime === held.startTime && endTime === held.endTime) {
    return;
  }
  const offer = await findOffer(work, held.appointmentTypeId);
  if (!offer) {
    throw bookingRefusal('slot_unavailable');
  }
  const { checkSlot: lookUpSlot } = await import('../availability/check-slot.ts');
  const found = await lookUpSlot(work, offer, { startTime, endTime, except: id });
  const wish = slotRequest(work, offer, found);
  work.write(MOVE, [work.subAccountId, id, new Date(startTime), new Date(endTime), wish]);
  explainSlot(work);
  work.audit(id);
  const data = { appointmentId: id, startTime, endTime, status };
  await work.emit(appointmentRescheduled, { ...(await aboutContact(work, contactId)), data });
}

const MOVE = `select move_appointment($1, $2, $3, $4,
  json_populate_record(null::slot_wish, $5::json))`;
