import { handle } from '#core/job.ts';
import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { planReminders } from './booking.jobs.ts';
import type { CalendarNotices } from './calendar-notices.ts';
import { queueReminders } from './queue-reminders.ts';

const BITE = 200;

/** Reminders of appointments that are booked already follow the calendar, too. */
export async function replanReminders(
  work: Work,
  { data: { calendarId } }: Occurrence<{ calendarId: string }>,
): Promise<void> {
  const { subAccountId } = work;
  const key = `${planReminders.name}:${calendarId}`;
  work.enqueue(planReminders, { subAccountId, calendarId }, { key });
}

/** What is queued already is queued in its own place; what was sent is due no more. */
export const handlePlanReminders = handle(
  planReminders,
  async ({ subAccountId, calendarId }, { transact, actor, signal }) => {
    let after: Place | undefined = FIRST;
    while (after) {
      signal.throwIfAborted();
      const from: Place = after;
      after = await transact(subAccountId, actor, (work) => planSome(work, calendarId, from));
    }
  },
);

interface Place {
  readonly startTime: number;
  readonly appointmentId: string;
}

const FIRST: Place = { startTime: 0, appointmentId: '00000000-0000-0000-0000-000000000000' };

/** Answers where to go on; nothing at the end. */
async function planSome(work: Work, calendarId: string, after: Place): Promise<Place | undefined> {
  const { subAccountId, now } = work;
  // Not from memory, which may not have heard yet of the change that this is about.
  const [calendar] = await work.rows<PlanRemindersInput>(REMINDERS, [subAccountId, calendarId]);
  const { reminders = [] } = calendar ?? {};
  if (reminders.length === 0) {
    return undefined;
  }
  const { startTime, appointmentId } = after;
  const from = new Date(Math.max(startTime, now.getTime()));
  const some = await work.rows<Place>(SOME, [subAccountId, calendarId, from, appointmentId]);
  some.forEach((one) => queueReminders(work, reminders, one));
  return some.length < BITE ? undefined : some.at(-1);
}

type PlanRemindersInput = Pick<CalendarNotices, 'reminders'>;

const REMINDERS = `select reminders from calendars
  where sub_account_id = $1 and id = $2 and deleted_at is null`;

const SOME = `select id as "appointmentId", (extract(epoch from start_time) * 1000)::int8 as "startTime"
  from appointments
  where sub_account_id = $1 and calendar_id = $2 and (start_time, id) > ($3, $4)
    and status in ('scheduled', 'confirmed')
  order by start_time, id limit ${BITE}`;
