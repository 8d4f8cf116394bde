import { handle, type JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { calendarOf, deleteEvent } from '../../calendars/external/caldav.ts';
import { readSetup } from '../../calendars/external/external-setup.ts';
import { syncAppointment } from '../notices/booking.jobs.ts';
import type { AppointmentEvent } from '../feeds/appointment-event.ts';
import { putSyncedEvent } from './put-event.ts';
import { readSynced, type SyncedEvent } from './read-synced.ts';
import { forgetSynced, recordSynced } from './record-synced.ts';

const TIMEOUT_MS = 20_000;
const GONE = new Set([404, 410]);

/** Makes the members' calendars as the appointment is now; done again, it changes nothing. */
export const handleSyncAppointment = handle(
  syncAppointment,
  async ({ subAccountId, appointmentId }, context) => {
    const view = context.openView(subAccountId, context.clock());
    const held = await readSynced(view, appointmentId);
    if (!held) {
      return;
    }
    const { appointment, memberIds, synced } = held;
    for (const event of synced.filter(({ memberId }) => !memberIds.includes(memberId))) {
      await release(view, appointment, event, context);
    }
    for (const memberId of memberIds) {
      const event = synced.find((one) => one.memberId === memberId);
      await putEventAt(view, appointment, { memberId, event }, context);
    }
  },
);

const wayOf = ({ tools, signal }: JobContext) => {
  return { outbound: tools.outbound, signal, timeoutMs: TIMEOUT_MS };
};

async function release(
  view: View,
  { id }: AppointmentEvent,
  { memberId, url }: SyncedEvent,
  context: JobContext,
): Promise<void> {
  const { transact, actor, tools } = context;
  const setup = await readSetup(view, tools.secrets, memberId);
  // Nobody can be asked any more where the calendar is another one by now.
  if (setup?.type === 'caldav' && url.startsWith(calendarOf(setup))) {
    const status = await deleteEvent(setup, url, wayOf(context));
    if (status >= 300 && !GONE.has(status)) {
      throw new Error(`the external calendar answered ${status} to a hold that is to go`);
    }
  }
  await transact(view.subAccountId, actor, async (work) => forgetSynced(work, id, memberId));
}

async function putEventAt(
  view: View,
  appointment: AppointmentEvent,
  { memberId, event }: { readonly memberId: string; readonly event: SyncedEvent | undefined },
  context: JobContext,
): Promise<void> {
  const { transact, actor, tools } = context;
  const setup = await readSetup(view, tools.secrets, memberId);
  if (!setup || (event && isSameTime(event, appointment))) {
    return;
  }
  const url = `${calendarOf(setup)}${appointment.id}.ics`;
  const etag = await putSyncedEvent(
    setup,
    url,
    { appointment, etag: event?.etag ?? null },
    wayOf(context),
  );
  await transact(view.subAccountId, actor, (work) =>
    recordSynced(work, appointment, { memberId, url, etag }),
  );
}

const isSameTime = (event: SyncedEvent, { start, end }: AppointmentEvent): boolean =>
  event.start.getTime() === start.getTime() && event.end.getTime() === end.getTime();
