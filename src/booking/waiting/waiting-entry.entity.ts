import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';

export type WaitingState = 'waiting' | 'offered' | 'booked' | 'left';

const WaitingEntryTable = defineEntity({
  name: 'WaitingEntry',
  tableName: 'waiting_entries',
  uniques: [
    {
      properties: ['subAccountId', 'appointmentTypeId', 'contactId', 'fromTime'],
      where: "state = any (array['waiting', 'offered'])",
    },
  ],
  properties: {
    ...recordKey(),
    appointmentTypeId: p.uuid(),
    contactId: p.uuid(),
    /** The visitor's day: the first instant and the one after the last. */
    fromTime: p.datetime(),
    untilTime: p.datetime(),
    /** The visitor's time zone. */
    timezone: p.text(),
    state: p.text().$type<WaitingState>(),
    ...timestamps(),
  },
});

/** A person who waits for a free slot of a full day. */
export class WaitingEntry extends WaitingEntryTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(sub_account_id, appointment_type_id) references appointment_types (sub_account_id, id)',
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
  ];
}
WaitingEntryTable.setClass(WaitingEntry);
