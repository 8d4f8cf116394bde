import { MINUTE_MS } from '#lib/duration.ts';
import type { Occurrence } from '#core/event.ts';
import { handle, keyOf } from '#core/job.ts';
import type { CachedRead, View, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import { confirmAppointment, remindOfAppointment, planReminders } from './booking.jobs.ts';
import { epochColumn } from '#core/schema/columns.ts';

interface TimedAppointment {
  readonly appointmentId: string;
  /** Epoch milliseconds. */
  readonly startTime: number;
}

/** The messages that a calendar sends to its customers. */
interface CalendarNotices {
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

/** Returns how many confirmations the booking or move of an appointment sends, if its customer can get one. */
export async function countConfirmations(
  view: View,
  { id }: Readonly<Record<string, unknown>>,
): Promise<{ readonly messages?: number }> {
  const [row] = await view.rows(CONFIRMED, [view.subAccountId, id]);
  return row ? { messages: 1 } : {};
}

const CONFIRMED = `select from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
  where a.sub_account_id = $1 and a.id = $2
    and case k.confirmation ->> 'channel' when 'email' then c.email when 'sms' then c.phone end
      is not null`;

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
    work.enqueue(confirmAppointment, payload, { key: keyOf(confirmAppointment, payload) });
  }
  queueReminders(work, reminders, { appointmentId, startTime });
}

/**
 * Queues the reminders of an appointment for when they are due, each in place of the earlier one with
 * the same key. A reminder that is already due is not sent (contract 7). Whether it still applies is
 * checked when it runs.
 */
function queueReminders(
  work: Work,
  reminders: readonly Reminder[],
  { appointmentId, startTime }: TimedAppointment,
): void {
  const { subAccountId, now } = work;
  for (const { before, channel } of reminders) {
    const runAt = new Date(startTime - before * MINUTE_MS);
    if (runAt > now) {
      const payload = { subAccountId, appointmentId, startTime, before, channel };
      const key = keyOf(remindOfAppointment, payload);
      work.enqueue(remindOfAppointment, payload, { runAt, key });
    }
  }
}

const BATCH = 200;

/** Queues the job that applies changed reminders to appointments that are already booked. */
export async function replanReminders(
  work: Work,
  { data: { calendarId } }: Occurrence<{ calendarId: string }>,
): Promise<void> {
  const payload = { subAccountId: work.subAccountId, calendarId };
  work.enqueue(planReminders, payload, { key: keyOf(planReminders, payload) });
}

/** Queues the reminders of all upcoming appointments, a batch per transaction; queued ones are replaced. */
export const handlePlanReminders = handle(
  planReminders,
  async ({ subAccountId, calendarId }, { transact, actor, signal }) => {
    let after: Position | undefined = START;
    while (after) {
      signal.throwIfAborted();
      const from: Position = after;
      after = await transact(subAccountId, actor, (work) => planBatch(work, calendarId, from));
    }
  },
);

interface Position {
  readonly startTime: number;
  readonly appointmentId: string;
}

const START: Position = { startTime: 0, appointmentId: '00000000-0000-0000-0000-000000000000' };

/** Returns the position to continue from, or undefined at the end. */
async function planBatch(
  work: Work,
  calendarId: string,
  after: Position,
): Promise<Position | undefined> {
  const { subAccountId, now } = work;
  // Not the cached read, which may not know the change yet that queued this job.
  const [calendar] = await work.rows<Pick<CalendarNotices, 'reminders'>>(REMINDERS, [
    subAccountId,
    calendarId,
  ]);
  const { reminders = [] } = calendar ?? {};
  if (reminders.length === 0) {
    return undefined;
  }
  const { startTime, appointmentId } = after;
  const from = new Date(Math.max(startTime, now.getTime()));
  const values = [subAccountId, calendarId, from, appointmentId];
  const batch = await work.rows<Position>(UPCOMING, values);
  batch.forEach((appointment) => queueReminders(work, reminders, appointment));
  return batch.length < BATCH ? undefined : batch.at(-1);
}

const REMINDERS = `select reminders from calendars
  where sub_account_id = $1 and id = $2 and deleted_at is null`;

const UPCOMING = `select id as "appointmentId", ${epochColumn('start_time')} as "startTime"
  from appointments
  where sub_account_id = $1 and calendar_id = $2 and (start_time, id) > ($3, $4)
    and status in ('scheduled', 'confirmed')
  order by start_time, id limit ${BATCH}`;
