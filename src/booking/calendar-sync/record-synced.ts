import type { Work } from '#core/work.ts';
import { syncAppointment } from '../notices/booking.jobs.ts';
import type { AppointmentEvent } from '../feeds/appointment-event.ts';
import type { SyncedEvent } from './read-synced.ts';

/** Keeps that an event was written; one whose appointment changed meanwhile is looked at again. */
export async function recordSynced(
  work: Work,
  { id, start, end, updatedAt }: AppointmentEvent,
  { memberId, url, etag }: Pick<SyncedEvent, 'memberId' | 'url' | 'etag'>,
): Promise<void> {
  const { subAccountId, now } = work;
  work.write(KEEP, [subAccountId, id, memberId, url, etag, start, end, now]);
  const [same] = await work.rows(SAME, [subAccountId, id, updatedAt]);
  if (!same) {
    const payload = { subAccountId, appointmentId: id };
    work.enqueue(syncAppointment, payload, { key: `${syncAppointment.name}:${id}` });
  }
}

const SAME = `select 1 from appointments where sub_account_id = $1 and id = $2 and updated_at = $3`;

const KEEP = `insert into external_holds
    (sub_account_id, appointment_id, member_id, url, etag, start_time, end_time, written_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (sub_account_id, appointment_id, member_id) do update set url = excluded.url,
    etag = excluded.etag, start_time = excluded.start_time, end_time = excluded.end_time,
    written_at = excluded.written_at, lost_at = null`;

export function forgetSynced(work: Work, appointmentId: string, memberId: string): void {
  work.write(DROP, [work.subAccountId, appointmentId, memberId]);
}

const DROP = `delete from external_holds
  where sub_account_id = $1 and appointment_id = $2 and member_id = $3`;
