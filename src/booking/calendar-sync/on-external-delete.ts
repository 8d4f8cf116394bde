import type { Occurrence } from '#kit/event.ts';
import type { Work } from '#kit/work.ts';
import { isLive } from '../appointment-status.ts';
import { cancelHeld } from '../cancel-appointment.ts';
import { lockAppointment } from '../lock-appointment.ts';

const REASON = 'deleted in the external calendar';

/** Who deletes the event of an appointment may mean to cancel it: the manifest says (`deletedOutside`). */
export async function onExternalDelete(
  work: Work,
  { data }: Occurrence<{ appointmentId: string; deletedOutside: string }>,
): Promise<void> {
  const { appointmentId, deletedOutside } = data;
  if (deletedOutside !== 'cancel') {
    return;
  }
  const held = await lockAppointment(work, appointmentId);
  if (isLive(held.status) && held.startTime > work.now.getTime()) {
    await cancelHeld(work, held, REASON);
  }
}
