import type { Occurrence } from '#core/event.ts';
import { keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { oncePer } from '#lib/once-per.ts';
import { externalMembers } from '../../calendars/external/external-setup.ts';
import { isLive } from '../appointments/appointment.schema.ts';
import { cancelLocked, lockAppointment } from '../appointments/change-appointment.ts';
import { syncAppointment } from '../notices/booking.jobs.ts';

type Changed = Occurrence<{ readonly appointmentId: string }>;

/** Queues the sync of a new appointment if any member has a calendar that can be written to. */
export async function queueSync(work: Work, { data }: Changed): Promise<void> {
  const members = await externalMembers(work);
  if (members.some(({ type }) => type === 'caldav')) {
    queue(work, data.appointmentId);
  }
}

/** Queues the sync of a moved or cancelled appointment. */
export async function queueSyncAgain(work: Work, { data }: Changed): Promise<void> {
  if (await isWritable(work)) {
    queue(work, data.appointmentId);
  }
}

/** Asked once for each change: with a contact, thousands of appointments may be cancelled. */
const isWritable = oncePer(async (work: Work): Promise<boolean> => {
  // Not the cached read: it may need a second connection while this transaction holds one.
  const [writable] = await work.rows(WRITABLE, [work.subAccountId]);
  return writable !== undefined;
});

const WRITABLE = `select 1 from team_members
  where sub_account_id = $1 and external_calendar ->> 'type' = 'caldav' limit 1`;

function queue(work: Work, appointmentId: string): void {
  const payload = { subAccountId: work.subAccountId, appointmentId };
  work.enqueue(syncAppointment, payload, { key: keyOf(syncAppointment, payload) });
}

/** Queues the sync of a member's upcoming appointments to a new calendar; the old calendar keeps its events. */
export async function syncUpcoming(
  work: Work,
  { data: { memberId } }: Occurrence<{ memberId: string }>,
): Promise<void> {
  const { subAccountId, now } = work;
  const { name, maxAttempts } = syncAppointment;
  // Appointments that the same change moves or assigns now may have a calendar to be written to.
  isWritable.forget(work);
  const upcoming = await work.rows<{ id: string }>(UPCOMING, [subAccountId, memberId, now]);
  const ids = upcoming.map(({ id }) => id);
  work.write(FORGET, [subAccountId, memberId]);
  if (ids.length > 0) {
    work.write(QUEUE_SYNC, [subAccountId, ids, name, maxAttempts]);
  }
}

const FORGET = 'delete from external_holds where sub_account_id = $1 and member_id = $2';

const UPCOMING = `select distinct a.id from appointment_blocks b
  join appointments a on a.sub_account_id = b.sub_account_id and a.id = b.appointment_id
  where b.sub_account_id = $1 and b.member_id = $2 and a.start_time > $3`;

/** A statement without our tables: in a cluster the coordinator has the queue. */
const QUEUE_SYNC = `select queue_jobs(
    array_agg($3::text), array_agg($3::text || ':' || id),
    array_agg(json_build_object('subAccountId', $1::uuid, 'appointmentId', id)), $4::int
  ) from unnest($2::uuid[]) as id`;

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
    await cancelLocked(work, locked, 'deleted in the external calendar');
  }
}
