import type { Occurrence } from '#core/event.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { confirmAppointment } from './booking.jobs.ts';
import { noticesOf, type CalendarNotices } from './calendar-notices.ts';
import { queueReminders } from './queue-reminders.ts';

interface Timed {
  readonly appointmentId: string;
  readonly startTime: number;
}

/** Has the customer of a new appointment written to, as its calendar wants it. */
export async function queueNotices(
  work: Work,
  { data }: Occurrence<Timed & { readonly calendarId: string }>,
): Promise<void> {
  queue(work, data, await noticesOf(work, data.calendarId), false);
}

/** The same of one that was moved: he is told the new time, and reminded of it. */
export async function queueNoticesAnew(work: Work, { data }: Occurrence<Timed>): Promise<void> {
  // Not from memory: whoever holds a transaction waits for no second connection.
  const values = [work.subAccountId, data.appointmentId];
  const [notices] = await work.rows<CalendarNotices>(NOTICES, values);
  if (notices) {
    queue(work, data, notices, true);
  }
}

const NOTICES = `select k.confirmation, k.reminders
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  where a.sub_account_id = $1 and a.id = $2`;

function queue(
  work: Work,
  { appointmentId, startTime }: Timed,
  { confirmation, reminders }: CalendarNotices,
  isMove: boolean,
): void {
  const { subAccountId, now } = work;
  if (confirmation) {
    const payload = { subAccountId, appointmentId, startTime, noticeId: newId(now), isMove };
    // In place of one that has not gone out yet: he is told where it stands, not the way there.
    work.enqueue(confirmAppointment, payload, {
      key: `${confirmAppointment.name}:${appointmentId}`,
    });
  }
  queueReminders(work, reminders, { appointmentId, startTime });
}
