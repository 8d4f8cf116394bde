import type { Work } from '#core/work.ts';
import { aboutContact } from '../../contacts/contact.store.ts';
import { appointmentCancelled } from './appointment.events.ts';
import { lockAppointment, type HeldAppointment } from './lock-appointment.ts';

/** From any status (spec "States"); cancelled already, nothing happens. */
export async function cancelAppointment(
  work: Work,
  id: string,
  reason: string | null,
): Promise<void> {
  const held = await lockAppointment(work, id);
  if (held.status !== 'cancelled') {
    await cancelHeld(work, held, reason);
  }
}

/** Cancels a held appointment that is not, and gives its slot free. */
export async function cancelHeld(
  work: Work,
  { id, contactId }: HeldAppointment,
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
