import type { View } from '#core/work.ts';
import { APPOINTMENT_EVENT, type AppointmentEvent } from '../feeds/appointment-event.ts';

/** The event that stands for an appointment in a member's calendar. */
export interface SyncedEvent {
  readonly memberId: string;
  readonly url: string;
  readonly etag: string | null;
  readonly start: Date;
  readonly end: Date;
}

/** An appointment, whose time it takes, and what holds it elsewhere. */
export interface HeldElsewhere {
  readonly appointment: AppointmentEvent;
  /** None of one that was cancelled. */
  readonly memberIds: readonly string[];
  readonly synced: readonly SyncedEvent[];
}

export async function readSynced(view: View, id: string): Promise<HeldElsewhere | undefined> {
  const values = [view.subAccountId, id];
  const [row] = await view.rows<AppointmentEvent & { memberIds: string[] }>(APPOINTMENT, values);
  if (!row) {
    return undefined;
  }
  const { memberIds, ...appointment } = row;
  return { appointment, memberIds, synced: await view.rows<SyncedEvent>(SYNCED_EVENTS, values) };
}

const APPOINTMENT = `select ${APPOINTMENT_EVENT}, array(
    select b.member_id from appointment_blocks b
    join team_members m on m.sub_account_id = b.sub_account_id and m.id = b.member_id
    where b.sub_account_id = a.sub_account_id and b.appointment_id = a.id
      and m.external_calendar ->> 'type' = 'caldav'
  ) as "memberIds"
  from appointments a
  left join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
    and c.deleted_at is null
  where a.sub_account_id = $1 and a.id = $2`;

const SYNCED_EVENTS = `select member_id as "memberId", url, etag, start_time as start, end_time as "end"
  from external_holds where sub_account_id = $1 and appointment_id = $2`;
