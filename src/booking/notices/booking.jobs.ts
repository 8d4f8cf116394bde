import { Type } from 'typebox';
import { defineJob } from '#core/job.ts';
import { epochMs, oneOf, request, uuid } from '#core/schema/schema.ts';

const MAX_ATTEMPTS = 25;

/** The appointment as it was when the job was queued; a move queues another job. */
const appointment = { subAccountId: uuid(), appointmentId: uuid(), startTime: epochMs() };

/** Confirms a booked or moved appointment to the customer. */
export const confirmAppointment = defineJob({
  name: 'booking/confirm',
  payload: request({ ...appointment, noticeId: uuid(), isMove: Type.Boolean() }),
  keyFrom: ['appointmentId'],
  maxAttempts: MAX_ATTEMPTS,
});

/** Reminds the customer `before` minutes before the start. */
export const remindOfAppointment = defineJob({
  name: 'booking/remind',
  payload: request({
    ...appointment,
    before: Type.Integer({ minimum: 1 }),
    channel: oneOf(['email', 'sms']),
  }),
  keyFrom: ['appointmentId', 'before', 'channel'],
  maxAttempts: MAX_ATTEMPTS,
});

/** Writes an appointment's event to the external calendars of its members, or deletes it there. */
export const syncAppointment = defineJob({
  name: 'booking/hold',
  payload: request({ subAccountId: uuid(), appointmentId: uuid() }),
  keyFrom: ['appointmentId'],
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});

/** Queues the reminders of a calendar's upcoming appointments again. */
export const planReminders = defineJob({
  name: 'booking/plan-reminders',
  payload: request({ subAccountId: uuid(), calendarId: uuid() }),
  keyFrom: ['calendarId'],
  maxAttempts: MAX_ATTEMPTS,
});
