import type { Static } from 'typebox';
import { pageQuery } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { findLive } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import type { View } from '#core/work.ts';
import { APPOINTMENT_STATUSES } from './appointment-status.ts';
import { keptAppointments } from './read-appointment.ts';

export const appointmentQuery = s.request({
  ...pageQuery,
  calendarId: Type.Optional(s.uuid()),
  startDate: Type.Optional(s.epochMs()),
  endDate: Type.Optional(s.epochMs()),
  status: Type.Optional(s.oneOf(APPOINTMENT_STATUSES)),
});
type AppointmentQuery = Static<typeof appointmentQuery>;

/** By creation, newest first; both dates are of the start, and included (contract 7). */
export function findAppointments(
  view: View,
  query: AppointmentQuery,
  after: string | undefined,
): Promise<Reply> {
  const { calendarId, startDate, endDate, status } = query;
  return findLive(view, keptAppointments, {
    query,
    after,
    filters: (bind) => {
      const instant = (ms: number) => `${bind(new Date(ms))}::timestamptz`;
      return [
        calendarId !== undefined && `a.calendar_id = ${bind(calendarId)}::uuid`,
        startDate !== undefined && `a.start_time >= ${instant(startDate)}`,
        endDate !== undefined && `a.start_time <= ${instant(endDate)}`,
        status !== undefined && `a.status = ${bind(status)}`,
      ];
    },
  });
}
