import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { aboutContact } from '../../contacts/contact.store.ts';
import { appointmentCancelled } from './appointment.events.ts';
import { moveToKept } from '../../contacts/merge/move-to-kept.ts';

/** Cancels the upcoming appointments of a deleted contact, each with its own event. */
export async function cancelAppointmentsOfContact(
  work: Work,
  { contactId }: Occurrence<object>,
): Promise<void> {
  const values = [work.subAccountId, contactId, work.now];
  const cancelled = await work.rows<{ id: string }>(CANCEL, values);
  if (cancelled.length === 0) {
    return;
  }
  work.write(FREE, [work.subAccountId, cancelled.map(({ id }) => id)]);
  const about = await aboutContact(work, contactId);
  for (const { id } of cancelled) {
    const data = { appointmentId: id, status: 'cancelled' as const };
    await work.emit(appointmentCancelled, { ...about, data });
  }
}

const CANCEL = `with cancelled as (
    update appointments set status = 'cancelled', updated_at = $3
    where sub_account_id = $1 and contact_id = $2 and status in ('scheduled', 'confirmed')
      and start_time > $3
    returning id
  )
  select id from cancelled order by id`;

const FREE = `delete from appointment_blocks
  where sub_account_id = $1 and appointment_id = any($2::uuid[])`;

/** Moves the appointments of a merged contact to the contact that remains; no event is emitted. */
export const moveAppointmentsOfContact = moveToKept({ table: 'appointments', isDated: true });
