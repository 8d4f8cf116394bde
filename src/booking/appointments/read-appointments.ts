import type { Reply } from '#core/endpoint/reply.ts';
import { pageQuery } from '#core/endpoint/paging.ts';
import { Type, type Static } from 'typebox';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import { findLive, type ListCall, answerOf, readerOf } from '#platform/database/live-records.ts';
import { APPOINTMENT_STATUSES, appointmentSchema } from './appointment.schema.ts';

export const appointmentQuery = s.request({
  ...pageQuery,
  calendarId: Type.Optional(s.uuid()),
  contactId: Type.Optional(s.uuid()),
  startDate: Type.Optional(s.instant()),
  endDate: Type.Optional(s.instant()),
  status: Type.Optional(s.oneOf(APPOINTMENT_STATUSES)),
});

/** Returns appointments by creation, newest first. Both dates compare the start and are included (contract 7). */
export function findAppointments({
  view,
  query,
  after,
}: ListCall<Static<typeof appointmentQuery>>): Promise<Reply> {
  const { calendarId, contactId, startDate, endDate, status } = query;
  return findLive(view, liveAppointments, {
    query,
    after,
    filters: (bind) => {
      const instant = (ms: number) => `${bind(new Date(ms))}::timestamptz`;
      return [
        calendarId !== undefined && `a.calendar_id = ${bind(calendarId)}::uuid`,
        contactId !== undefined && `a.contact_id = ${bind(contactId)}::uuid`,
        startDate !== undefined && `a.start_time >= ${instant(startDate)}`,
        endDate !== undefined && `a.start_time <= ${instant(endDate)}`,
        status !== undefined && `a.status = ${bind(status)}`,
      ];
    },
  });
}

const CONTACT = `(select row_to_json(one) from (
    select c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone
    from contacts c where c.sub_account_id = $1 and c.id = a.contact_id
  ) as one)`;

const partOfSeries = '(a.series_id is not null)';

/** Appointment `a` of sub-account `$1` as every endpoint shows it. */
const appointmentRecord = recordSchema(appointmentSchema, 'a', {
  contact: CONTACT,
  partOfSeries,
});

/** The same for an appointment that is being written: its contact is joined as `customer`. */
export const writtenAppointment = recordSchema(appointmentSchema, 'a', {
  contact: 'customer.contact',
  partOfSeries,
});

const liveAppointments = {
  table: 'appointments',
  alias: 'a',
  record: appointmentRecord,
  isKept: true,
} as const;

export const readAppointment = readerOf('appointment', liveAppointments);
export const theAppointment = answerOf(readAppointment);
