import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { isLive } from '../appointments/appointment-status.ts';
import { cancelLocked, lockAppointment } from '../appointments/change-appointment.ts';

const REASON = 'deleted in the external calendar';

/** Cancels an upcoming appointment whose external event was deleted, if the manifest says so (`deletedOutside`). */
export async function onExternalDelete(
  work: Work,
  { data }: Occurrence<{ appointmentId: string; deletedOutside: string }>,
): Promise<void> {
  const { appointmentId, deletedOutside } = data;
  if (deletedOutside !== 'cancel') {
    return;
  }
  const locked = await lockAppointment(work, appointmentId);
  if (isLive(locked.status) && locked.startTime > work.now.getTime()) {
    await cancelLocked(work, locked, REASON);
  }
}
