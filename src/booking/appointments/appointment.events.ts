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

/** Declares the event of an appointment that got a status, which it is named for. */
const statusEvent = <const S extends string>(status: S, summary: string) =>
  webhookEvent({
    name: `appointment.${status}`,
    summary,
    data: Type.Object({ appointmentId, status: s.oneOf([status]) }),
  });

export const appointmentCancelled = statusEvent('cancelled', 'an appointment was cancelled');
export const appointmentConfirmed = statusEvent('confirmed', 'an appointment was confirmed');
export const appointmentCompleted = statusEvent('completed', 'an appointment was marked completed');
export const appointmentNoShow = statusEvent('no_show', 'an appointment was marked as a no-show');

export const appointmentRescheduled = webhookEvent({
  name: 'appointment.rescheduled',
  summary: 'an appointment was moved to another time',
  data: Type.Object({ appointmentId, ...times, status: live }),
});

/** Internal: none of the 26 webhook events covers it, because time and status stay the same. */
export const appointmentReassigned = internalEvent({
  name: 'appointment.reassigned',
  summary: 'an appointment was assigned to another team member',
  data: Type.Object({ appointmentId }),
});
