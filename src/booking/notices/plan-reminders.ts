import type { Occurrence } from '#core/event.ts';
import { handle } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { planReminders } from './booking.jobs.ts';
import { queueReminders, type CalendarNotices } from './queue-notices.ts';

const BATCH = 200;

/** Queues the job that applies changed reminders to appointments that are already booked. */
export async function replanReminders(
  work: Work,
  { data: { calendarId } }: Occurrence<{ calendarId: string }>,
): Promise<void> {
  const { subAccountId } = work;
  const key = `${planReminders.name}:${calendarId}`;
  work.enqueue(planReminders, { subAccountId, calendarId }, { key });
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

const UPCOMING = `select id as "appointmentId", (extract(epoch from start_time) * 1000)::int8 as "startTime"
  from appointments
  where sub_account_id = $1 and calendar_id = $2 and (start_time, id) > ($3, $4)
    and status in ('scheduled', 'confirmed')
  order by start_time, id limit ${BATCH}`;
