import { defineEntity, p } from '@mikro-orm/core';

const AppointmentBlockTable = defineEntity({
  name: 'AppointmentBlock',
  tableName: 'appointment_blocks',
  uniques: [{ properties: ['subAccountId', 'slotId', 'seat'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    appointmentId: p.uuid().primary(),
    /** The calendar's id if the calendar has no members. */
    memberId: p.uuid().primary(),
    /** The constraint `appointment_blocks_overlap` excludes overlapping blocks of a member. */
    block: p.text().columnType('tstzrange'),
    /** The appointment, or the class whose seats share one slot. */
    slotId: p.uuid(),
    /** Number of the seat; null outside classes. */
    seat: p.integer().nullable(),
    seatTypeId: p.uuid().nullable(),
    seatStart: p.datetime().nullable(),
  },
});

/** The time that an appointment blocks for a team member, buffers included. Cancelling deletes the rows. */
export class AppointmentBlock extends AppointmentBlockTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, appointment_id) references appointments (sub_account_id, id) on delete cascade deferrable initially deferred',
  ];
}
AppointmentBlockTable.setClass(AppointmentBlock);
