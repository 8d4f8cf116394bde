import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { AppointmentStatus } from './appointment.schema.ts';

const AppointmentTable = defineEntity({
  name: 'Appointment',
  tableName: 'appointments',
  properties: {
    ...recordKey(),
    calendarId: p.uuid(),
    appointmentTypeId: p.uuid().nullable(),
    /** Null once its contact is deleted. */
    contactId: p.uuid().nullable(),
    title: p.text().nullable(),
    startTime: p.datetime(),
    endTime: p.datetime(),
    status: p.text().$type<AppointmentStatus>(),
    assignedTo: p.uuid().nullable(),
    /** When the appointment was assigned to its current team member. */
    assignedAt: p.datetime(),
    notes: p.text().nullable(),
    cancelReason: p.text().nullable(),
    /** Shared by the appointments that were booked as one series. */
    seriesId: p.uuid().nullable(),
    ...timestamps(),
  },
});

export class Appointment extends AppointmentTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, assigned_to) references team_members (sub_account_id, id) on delete set null (assigned_to)',
    '(sub_account_id, calendar_id) references calendars (sub_account_id, id)',
    '(sub_account_id, contact_id) references contacts (sub_account_id, id) deferrable initially deferred',
    '(sub_account_id) references sub_accounts (id)',
    '(sub_account_id, appointment_type_id) references appointment_types (sub_account_id, id)',
  ];
}
AppointmentTable.setClass(Appointment);
