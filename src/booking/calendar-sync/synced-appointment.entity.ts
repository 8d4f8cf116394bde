import { defineEntity, p } from '@mikro-orm/core';

const SyncedAppointmentTable = defineEntity({
  name: 'SyncedAppointment',
  tableName: 'external_holds',
  properties: {
    subAccountId: p.uuid().primary(),
    appointmentId: p.uuid().primary(),
    memberId: p.uuid().primary(),
    url: p.text(),
    etag: p.text().nullable(),
    startTime: p.datetime(),
    endTime: p.datetime(),
    writtenAt: p.datetime(),
    /** Since when the event is missing in the external calendar. */
    lostAt: p.datetime().nullable(),
  },
});

/** The event that represents an appointment in a team member's CalDAV calendar. */
export class SyncedAppointment extends SyncedAppointmentTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, appointment_id) references appointments (sub_account_id, id) on delete cascade',
    '(sub_account_id, member_id) references team_members (sub_account_id, id) on delete cascade',
  ];
}
SyncedAppointmentTable.setClass(SyncedAppointment);
