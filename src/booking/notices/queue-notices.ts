import type { Occurrence } from '#core/event.ts';
import type { CachedRead, View, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import { confirmAppointment, remindOfAppointment } from './booking.jobs.ts';

const MINUTE_MS = 60_000;

interface TimedAppointment {
  readonly appointmentId: string;
  /** Epoch milliseconds. */
  readonly startTime: number;
}

/** The messages that a calendar sends to its customers. */
export interface CalendarNotices {
  readonly confirmation: Confirmation | null;
  readonly reminders: readonly Reminder[];
}

/** Queues the confirmation and the reminders of a new appointment. */
export async function queueNotices(
  work: Work,
  { data }: Occurrence<TimedAppointment & { readonly calendarId: string }>,
): Promise<void> {
  queue(work, data, await cachedNotices(work, data.calendarId), false);
}

/** Queues the confirmation and the reminders again for an appointment that was moved. */
export async function queueNoticesAgain(
  work: Work,
  { data }: Occurrence<TimedAppointment>,
): Promise<void> {
  // Not the cached read: it may need a second connection while this transaction holds one.
  const values = [work.subAccountId, data.appointmentId];
  const [notices] = await work.rows<CalendarNotices>(NOTICES_OF_APPOINTMENT, values);
  if (notices) {
    queue(work, data, notices, true);
  }
}

const NOTICES_OF_APPOINTMENT = `select k.confirmation, k.reminders
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  where a.sub_account_id = $1 and a.id = $2`;

/** Cached, because every booking needs them and most calendars have none. */
async function cachedNotices(view: View, calendarId: string): Promise<CalendarNotices> {
  const calendars = await view.cached(NOTICES);
  return calendars.find(({ id }) => id === calendarId) ?? { confirmation: null, reminders: [] };
}

const NOTICES: CachedRead<CalendarNotices & { readonly id: string }> = {
  tables: ['calendars'],
  text: `select id, confirmation, reminders from calendars
    where sub_account_id = $1 and deleted_at is null`,
};

function queue(
  work: Work,
  { appointmentId, startTime }: TimedAppointment,
  { confirmation, reminders }: CalendarNotices,
  isMove: boolean,
): void {
  const { subAccountId, now } = work;
  if (confirmation) {
    const payload = { subAccountId, appointmentId, startTime, noticeId: newId(now), isMove };
    // The key replaces a confirmation that is not sent yet: only the latest time is confirmed.
    const key = `${confirmAppointment.name}:${appointmentId}`;
    work.enqueue(confirmAppointment, payload, { key });
  }
  queueReminders(work, reminders, { appointmentId, startTime });
}

/**
 * Queues the reminders of an appointment for when they are due, each in place of the earlier one with
 * the same key. A reminder that is already due is not sent (contract 7). Whether it still applies is
 * checked when it runs.
 */
export function queueReminders(
  work: Work,
  reminders: readonly Reminder[],
  { appointmentId, startTime }: TimedAppointment,
): void {
  const { subAccountId, now } = work;
  for (const { before, channel } of reminders) {
    const runAt = new Date(startTime - before * MINUTE_MS);
    if (runAt > now) {
      const payload = { subAccountId, appointmentId, startTime, before, channel };
      const key = `${remindOfAppointment.name}:${appointmentId}:${before}:${channel}`;
      work.enqueue(remindOfAppointment, payload, { runAt, key });
    }
  }
}
