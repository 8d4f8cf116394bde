import { defineJob } from '#core/job.ts';
import { epochMs, oneOf, request, uuid } from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';

const MAX_ATTEMPTS = 25;

/** An appointment as it stood when the job was queued; moved since then, it has another job. */
const appointment = { subAccountId: uuid(), appointmentId: uuid(), startTime: epochMs() };

/** Writes to the customer that his appointment is booked, or moved. */
export const confirmAppointment = defineJob({
  name: 'booking/confirm',
  payload: request({ ...appointment, noticeId: uuid(), isMove: Type.Boolean() }),
  maxAttempts: MAX_ATTEMPTS,
});

/** Reminds the customer, so many minutes before the start. */
export const remindOfAppointment = defineJob({
  name: 'booking/remind',
  payload: request({
    ...appointment,
    before: Type.Integer({ minimum: 1 }),
    channel: oneOf(['email', 'sms']),
  }),
  maxAttempts: MAX_ATTEMPTS,
});

/** Has the external calendars of whoever gives an appointment hold its time, or give it free. */
export const syncAppointment = defineJob({
  name: 'booking/hold',
  payload: request({ subAccountId: uuid(), appointmentId: uuid() }),
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});

/** Queues the reminders of what a calendar has before it, as it wants them now. */
export const planReminders = defineJob({
  name: 'booking/plan-reminders',
  payload: request({ subAccountId: uuid(), calendarId: uuid() }),
  maxAttempts: MAX_ATTEMPTS,
});
