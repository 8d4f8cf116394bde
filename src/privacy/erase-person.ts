import { keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { syncAppointment } from '../booking/notices/booking.jobs.ts';
import { deleteContact } from '../contacts/delete-contact.ts';
import { bound, type Bindings } from './bound.ts';
import { eraseRows, NOTHING, type ErasedRows } from './erase-rows.ts';
import { bindingsOf, type Person } from './person.ts';
import { personalTables } from './personal-data.ts';

/**
 * Erases the rows that belong to a person by an id or an address, and deletes the contact. Rows that others
 * or figures depend on stay, without the person's data. The events that the deletion fires contain none of
 * it. `eraseMentions` erases the rest after the commit: what only reading texts finds, and events.
 */
export async function erasePerson(work: Work, person: Person): Promise<ErasedRows[]> {
  await work.rows(LOCK, [work.subAccountId, person.contactIds]);
  const bindings = bindingsOf(work, person);
  const counts: ErasedRows[] = [];
  for (const one of personalTables) {
    if (one.rows !== undefined) {
      counts.push({ table: one.table, ...(await eraseRows(work, one, one.rows, bindings)) });
    }
  }
  counts.push({ ...NOTHING, table: 'external_holds', deleted: await freePast(work, bindings) });
  for (const id of person.liveIds) {
    await deleteContact(work, id);
  }
  person.contactIds.forEach((id) => work.audit(id));
  return counts.filter(({ deleted, blanked }) => deleted + blanked > 0);
}

/** In the order in which merges lock contacts. */
const LOCK = `select from contacts where sub_account_id = $1 and id = any($2::uuid[])
  order by id for update`;

/**
 * Events of past appointments in external calendars name the customer: without a member, the
 * appointment's job deletes them. Those of upcoming appointments end with the appointment.
 */
async function freePast(work: Work, bindings: Bindings): Promise<number> {
  const { text, values } = bound(FREE_PAST, bindings);
  const freed = await work.rows<{ appointmentId: string }>(text, values);
  const ids = new Set(freed.map(({ appointmentId }) => appointmentId));
  for (const appointmentId of ids) {
    const payload = { subAccountId: work.subAccountId, appointmentId };
    work.enqueue(syncAppointment, payload, { key: keyOf(syncAppointment, payload) });
  }
  return ids.size;
}

const FREE_PAST = `delete from appointment_blocks b using external_holds h, appointments t
  where b.sub_account_id = :sub and h.sub_account_id = b.sub_account_id
    and h.appointment_id = b.appointment_id and h.member_id = b.member_id
    and t.sub_account_id = b.sub_account_id and t.id = b.appointment_id
    and t.contact_id = any(:contacts) and t.start_time <= now()
  returning b.appointment_id as "appointmentId"`;
