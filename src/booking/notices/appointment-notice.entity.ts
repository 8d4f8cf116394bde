import { defineEntity, p } from '@mikro-orm/core';

const AppointmentNoticeTable = defineEntity({
  name: 'AppointmentNotice',
  tableName: 'appointment_notices',
  properties: {
    subAccountId: p.uuid().primary(),
    appointmentId: p.uuid().primary(),
    /** The kind of the notice, with the time it is due where it has one. */
    notice: p.text().primary(),
    writtenAt: p.datetime(),
  },
});

/** A notice that was written about an appointment, so that it is not written twice. */
export class AppointmentNotice extends AppointmentNoticeTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, appointment_id) references appointments (sub_account_id, id) on delete cascade',
  ];
}
AppointmentNoticeTable.setClass(AppointmentNotice);
