import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { isLive } from '../appointments/appointment-status.ts';
import { cancelHeld } from '../appointments/cancel-appointment.ts';
import { lockAppointment } from '../appointments/lock-appointment.ts';

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
