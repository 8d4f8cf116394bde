import type { Work } from '#core/work.ts';
import { cancelHeld } from '../appointments/cancel-appointment.ts';
import type { SlotTimes } from '../appointments/appointment.schema.ts';
import { CUSTOMER_APPOINTMENTS, type CustomerAppointment } from './customer-appointment.ts';
import { customerReason, customerRefusal, type CustomerReason } from './customer-refusal.ts';
import { moveAppointment } from '../appointments/move-appointment.ts';

interface CustomerChangesInput {
  readonly appointmentId: string;
  /** Whose it must be; of a manage link, which is for one appointment, it does not matter. */
  readonly contactId?: string;
}

/** Held against other changes until the work is done. */
export async function lockForCustomer(
  work: Work,
  { appointmentId, contactId }: CustomerChangesInput,
): Promise<CustomerAppointment | undefined> {
  const values = [work.subAccountId, appointmentId, contactId ?? null];
  const [held] = await work.rows<CustomerAppointment>(LOCK_APPOINTMENT, values);
  return held;
}

const LOCK_APPOINTMENT = `${CUSTOMER_APPOINTMENTS}
  and a.id = $2 and ($3::uuid is null or a.contact_id = $3) for update of a`;

/** Cancels unless the calendar's rules forbid it, and says whether it was cancelled before. */
export async function cancelForCustomer(
  work: Work,
  held: CustomerAppointment,
  reason: string | null,
): Promise<{ readonly alreadyCancelled: boolean }> {
  if (held.status === 'cancelled') {
    return { alreadyCancelled: true };
  }
  refuse(customerReason('cancel', held, work.now.getTime()));
  await cancelHeld(work, held, reason);
  return { alreadyCancelled: false };
}

/** Moves a held appointment that is not cancelled, unless the calendar's rules forbid it. */
export async function moveForCustomer(
  work: Work,
  held: CustomerAppointment,
  times: SlotTimes,
): Promise<void> {
  refuse(customerReason('reschedule', held, work.now.getTime()));
  await moveAppointment(work, held.id, times);
}

function refuse(reason: CustomerReason | undefined): void {
  if (reason) {
    throw customerRefusal(reason);
  }
}
