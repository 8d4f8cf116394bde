import { Type } from 'typebox';
import { internalEvent, webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

const appointmentId = s.uuid();

const times = {
  startTime: Type.Integer({ description: 'epoch ms', examples: [1_796_202_000_000] }),
  endTime: Type.Integer({ description: 'epoch ms', examples: [1_796_203_800_000] }),
};

const live = s.oneOf(['scheduled', 'confirmed']);

export const appointmentBooked = webhookEvent({
  name: 'appointment.booked',
  summary: 'an appointment was booked',
  data: Type.Object({
    appointmentId,
    calendarId: s.uuid(),
    appointmentTypeId: s.nullable(s.uuid()),
    appointmentTitle: s.nullable(Type.String({ examples: ['Check-up'] })),
    ...times,
    status: live,
  }),
});

export const appointmentCancelled = webhookEvent({
  name: 'appointment.cancelled',
  summary: 'an appointment was cancelled',
  data: Type.Object({ appointmentId, status: s.oneOf(['cancelled']) }),
});

export const appointmentRescheduled = webhookEvent({
  name: 'appointment.rescheduled',
  summary: 'an appointment was moved to another time',
  data: Type.Object({ appointmentId, ...times, status: live }),
});

export const appointmentConfirmed = webhookEvent({
  name: 'appointment.confirmed',
  summary: 'an appointment was confirmed',
  data: Type.Object({ appointmentId, status: s.oneOf(['confirmed']) }),
});

export const appointmentCompleted = webhookEvent({
  name: 'appointment.completed',
  summary: 'an appointment was marked completed',
  data: Type.Object({ appointmentId, status: s.oneOf(['completed']) }),
});

export const appointmentNoShow = webhookEvent({
  name: 'appointment.no_show',
  summary: 'an appointment was marked as a no-show',
  data: Type.Object({ appointmentId, status: s.oneOf(['no_show']) }),
});

/** Internal: none of the 26 webhook events covers it, because time and status stay the same. */
export const appointmentReassigned = internalEvent({
  name: 'appointment.reassigned',
  summary: 'an appointment was assigned to another team member',
  data: Type.Object({ appointmentId }),
});
