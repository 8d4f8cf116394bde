import { handle, keyOf, type JobContext } from '#core/job.ts';
import type { View, Work } from '#core/work.ts';
import {
  calendarOf,
  deleteEvent,
  findEvent,
  isIn,
  putEvent,
  type PutResult,
} from '../../calendars/external/caldav.ts';
import { readSetup, type ExternalSetup } from '../../calendars/external/external-setup.ts';
import type { FetchOptions } from '../../calendars/external/fetch-ics.ts';
import {
  APPOINTMENT_EVENT,
  syncedEventIcs,
  type AppointmentEvent,
} from '../feeds/appointment-ics.ts';
import { syncAppointment } from '../notices/booking.jobs.ts';

const TIMEOUT_MS = 20_000;
const PRECONDITION_FAILED = 412;
const GONE = new Set([404, 410]);

/** Makes the members' external calendars match the appointment; repeating it changes nothing. */
export const handleSyncAppointment = handle(
  syncAppointment,
  async ({ subAccountId, appointmentId }, context) => {
    const view = context.openView(subAccountId, context.clock());
    const state = await readSyncState(view, appointmentId);
    if (!state) {
      return;
    }
    const { appointment, memberIds, synced } = state;
    for (const event of synced.filter(({ memberId }) => !memberIds.includes(memberId))) {
      await removeEvent(view, appointment, event, context);
    }
    for (const memberId of memberIds) {
      const event = synced.find((one) => one.memberId === memberId);
      await writeEvent(view, appointment, { memberId, event }, context);
    }
  },
);

/** The event of an appointment in one member's external calendar. */
interface SyncedEvent {
  readonly memberId: string;
  readonly url: string;
  readonly etag: string | null;
  readonly start: Date;
  readonly end: Date;
}

interface SyncState {
  readonly appointment: AppointmentEvent;
  /** The members who need an event; none if the appointment was cancelled. */
  readonly memberIds: readonly string[];
  readonly synced: readonly SyncedEvent[];
}

async function readSyncState(view: View, id: string): Promise<SyncState | undefined> {
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

async function removeEvent(
  view: View,
  { id }: AppointmentEvent,
  { memberId, url }: SyncedEvent,
  context: JobContext,
): Promise<void> {
  const { subAccountId } = view;
  const { transact, actor, tools } = context;
  const setup = await readSetup(view, tools.secrets, memberId);
  // If the member has another calendar by now, the credentials of the old server are gone.
  if (setup?.type === 'caldav' && isIn(setup, url)) {
    const status = await deleteEvent(setup, url, fetchOptions(view, context));
    if (status >= 300 && !GONE.has(status)) {
      throw new Error(`the external calendar returned ${status} when an event was deleted`);
    }
  }
  await transact(subAccountId, actor, async (work) =>
    work.write(FORGET, [subAccountId, id, memberId]),
  );
}

const FORGET = `delete from external_holds
  where sub_account_id = $1 and appointment_id = $2 and member_id = $3`;

async function writeEvent(
  view: View,
  appointment: AppointmentEvent,
  { memberId, event }: { readonly memberId: string; readonly event: SyncedEvent | undefined },
  context: JobContext,
): Promise<void> {
  const { transact, actor, tools } = context;
  const setup = await readSetup(view, tools.secrets, memberId);
  if (!setup) {
    return;
  }
  // A write to the member's former calendar may have ended after the change to this one.
  const own = event && isIn(setup, event.url) ? event : undefined;
  if (own && isSameTime(own, appointment)) {
    return;
  }
  const url = `${calendarOf(setup)}${appointment.id}.ics`;
  const known = { appointment, etag: own?.etag ?? null };
  const etag = await overwriteEvent(setup, url, known, fetchOptions(view, context));
  await transact(view.subAccountId, actor, (work) =>
    recordSynced(work, appointment, { memberId, url, etag }),
  );
}

const isSameTime = (event: SyncedEvent, { start, end }: AppointmentEvent): boolean =>
  event.start.getTime() === start.getTime() && event.end.getTime() === end.getTime();

/**
 * Writes the event and overwrites changes made in the external calendar. Returns its ETag, or null if the
 * server sends none. Repeating it changes nothing. Throws if the event is not written.
 */
async function overwriteEvent(
  setup: ExternalSetup,
  url: string,
  { appointment, etag }: { readonly appointment: AppointmentEvent; readonly etag: string | null },
  options: FetchOptions,
): Promise<string | null> {
  const ics = await syncedEventIcs(appointment);
  const first = await putEvent(setup, url, { ics, etag }, options);
  // Written before but not recorded, or changed or deleted in the external calendar.
  const isStale = first.status === PRECONDITION_FAILED || (etag !== null && GONE.has(first.status));
  if (!isStale) {
    return etagOf(first);
  }
  const current = await findEvent(setup, url, options);
  const currentEtag = GONE.has(current.status) ? null : current.etag;
  return etagOf(await putEvent(setup, url, { ics, etag: currentEtag }, options));
}

function etagOf({ status, etag }: PutResult): string | null {
  if (status < 200 || status >= 300) {
    throw new Error(`the external calendar returned ${status} when an event was written`);
  }
  return etag;
}

/** Records a written event. If the appointment changed meanwhile, the job is queued again. */
async function recordSynced(
  work: Work,
  { id, start, end, updatedAt }: AppointmentEvent,
  { memberId, url, etag }: Pick<SyncedEvent, 'memberId' | 'url' | 'etag'>,
): Promise<void> {
  const { subAccountId, now } = work;
  work.write(RECORD, [subAccountId, id, memberId, url, etag, start, end, now]);
  const [unchanged] = await work.rows(UNCHANGED, [subAccountId, id, updatedAt]);
  if (!unchanged) {
    const payload = { subAccountId, appointmentId: id };
    work.enqueue(syncAppointment, payload, { key: keyOf(syncAppointment, payload) });
  }
}

const RECORD = `insert into external_holds
    (sub_account_id, appointment_id, member_id, url, etag, start_time, end_time, written_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (sub_account_id, appointment_id, member_id) do update set url = excluded.url,
    etag = excluded.etag, start_time = excluded.start_time, end_time = excluded.end_time,
    written_at = excluded.written_at, lost_at = null`;

const UNCHANGED = `select 1 from appointments
  where sub_account_id = $1 and id = $2 and updated_at = $3`;

const fetchOptions = ({ subAccountId }: View, { tools, signal }: JobContext): FetchOptions => {
  return { outbound: tools.outbound, subAccountId, signal, timeoutMs: TIMEOUT_MS };
};
