import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { appointmentSchema } from './appointment.schema.ts';

const CONTACT = `(select json_build_object('firstName', c.first_name, 'lastName', c.last_name,
    'email', c.email, 'phone', c.phone)
  from contacts c where c.sub_account_id = a.sub_account_id and c.id = a.contact_id)`;

const partOfSeries = '(a.series_id is not null)';

/** Appointment `a` as every endpoint shows it. */
const appointmentRecord = recordSchema(appointmentSchema, 'a', {
  contact: CONTACT,
  partOfSeries,
});

/** The same of one that is being written, whose contact stands beside it in `told`. */
export const writtenAppointment = recordSchema(appointmentSchema, 'a', {
  contact: 'told.contact',
  partOfSeries,
});

export const keptAppointments = {
  table: 'appointments',
  alias: 'a',
  record: appointmentRecord,
  isKept: true,
} as const;

export const readAppointment = readerOf('appointment', keptAppointments);
export const theAppointment = answerOf(readAppointment);
