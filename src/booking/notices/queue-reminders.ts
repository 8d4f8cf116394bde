import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Reminder } from '../../calendars/calendar-entry.ts';
import { remindOfAppointment } from './booking.jobs.ts';

interface Upcoming {
  readonly appointmentId: string;
  /** Epoch milliseconds. */
  readonly startTime: number;
}

/**
 * Has the reminders of an appointment go out when they are due, each in place of the one before it
 * by the same name. One that is due already is not sent (contract 7). Whether it is still wanted is
 * looked at when it is time.
 */
export function queueReminders(
  work: Work,
  reminders: readonly Reminder[],
  { appointmentId, startTime }: Upcoming,
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
