import { defineEntity, p } from '@mikro-orm/core';

const AppointmentNoticeTable = defineEntity({
  name: 'AppointmentNotice',
  tableName: 'appointment_notices',
  properties: {
    subAccountId: p.uuid().primary(),
    appointmentId: p.uuid().primary(),
    /** The kind of notice, with the booking, move or start that it belongs to. */
    notice: p.text().primary(),
    writtenAt: p.datetime(),
  },
});

/** A notice that was sent about an appointment, so that it is not sent twice. */
export class AppointmentNotice extends AppointmentNoticeTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, appointment_id) references appointments (sub_account_id, id) on delete cascade',
  ];
}
AppointmentNoticeTable.setClass(AppointmentNotice);
