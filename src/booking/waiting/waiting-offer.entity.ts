import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

type OfferState = 'offered' | 'booked' | 'declined' | 'expired';

const WaitingOfferTable = defineEntity({
  name: 'WaitingOffer',
  tableName: 'waiting_offers',
  uniques: [
    { properties: ['subAccountId', 'entryId'], where: "state = 'offered'" },
    { properties: ['subAccountId', 'entryId', 'startTime'] },
  ],
  properties: {
    ...recordKey(),
    entryId: p.uuid(),
    calendarId: p.uuid(),
    appointmentTypeId: p.uuid(),
    startTime: p.datetime(),
    endTime: p.datetime(),
    /** The time that is held, buffers included. */
    blocked: p.text().columnType('tstzrange'),
    /** The members that it is held of; the calendar's id if it has none. */
    memberIds: p.array().columnType('uuid[]'),
    /** True in classes: it holds one seat. */
    isSeat: p.boolean(),
    state: p.text().$type<OfferState>(),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
});

/** A freed slot, held for one person of the waiting list. Only its own job ends it after it expires. */
export class WaitingOffer extends WaitingOfferTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, entry_id) references waiting_entries (sub_account_id, id) on delete cascade',
  ];
}
WaitingOfferTable.setClass(WaitingOffer);
