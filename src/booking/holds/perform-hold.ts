import { performs, type JobContext } from '#kit/job.ts';
import type { View } from '#kit/work.ts';
import { calendarOf, deleteEvent } from '../../calendars/external/caldav.ts';
import { readSetup } from '../../calendars/external/external-setup.ts';
import { holdAppointment } from '../booking.jobs.ts';
import type { AppointmentEvent } from '../feeds/appointment-event.ts';
import { putHold } from './put-hold.ts';
import { readHolds, type Hold } from './read-holds.ts';
import { dropHold, keepHold } from './record-hold.ts';

const TIMEOUT_MS = 20_000;
const GONE = new Set([404, 410]);

/** Makes the members' calendars as the appointment is now; done again, it changes nothing. */
export const performHold = performs(
  holdAppointment,
  async ({ subAccountId, appointmentId }, context) => {
    const view = context.openView(subAccountId, context.clock());
    const held = await readHolds(view, appointmentId);
    if (!held) {
      return;
    }
    const { appointment, memberIds, holds } = held;
    for (const hold of holds.filter(({ memberId }) => !memberIds.includes(memberId))) {
      await release(view, appointment, hold, context);
    }
    for (const memberId of memberIds) {
      const hold = holds.find((one) => one.memberId === memberId);
      await holdAt(view, appointment, { memberId, hold }, context);
    }
  },
);

const wayOf = ({ tools, signal }: JobContext) => {
  return { outbound: tools.outbound, signal, timeoutMs: TIMEOUT_MS };
};

async function release(
  view: View,
  { id }: AppointmentEvent,
  { memberId, url }: Hold,
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
  await transact(view.subAccountId, actor, async (work) => dropHold(work, id, memberId));
}

async function holdAt(
  view: View,
  appointment: AppointmentEvent,
  { memberId, hold }: { readonly memberId: string; readonly hold: Hold | undefined },
  context: JobContext,
): Promise<void> {
  const { transact, actor, tools } = context;
  const setup = await readSetup(view, tools.secrets, memberId);
  if (!setup || (hold && isSameTime(hold, appointment))) {
    return;
  }
  const url = `${calendarOf(setup)}${appointment.id}.ics`;
  const etag = await putHold(setup, url, { appointment, etag: hold?.etag ?? null }, wayOf(context));
  await transact(view.subAccountId, actor, (work) =>
    keepHold(work, appointment, { memberId, url, etag }),
  );
}

const isSameTime = (hold: Hold, { start, end }: AppointmentEvent): boolean =>
  hold.start.getTime() === start.getTime() && hold.end.getTime() === end.getTime();
