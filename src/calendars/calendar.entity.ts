import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';
import type { Confirmation, Hours, OverrideEntry, Reminder } from './calendar-entry.ts';
import type { CalendarKind } from './schedule.ts';

const CalendarTable = defineEntity({
  name: 'Calendar',
  tableName: 'calendars',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    type: p.text().$type<CalendarKind>(),
    /** Null means the sub-account's time zone. */
    timezone: p.text().nullable(),
    position: p.integer(),
    hours: p.json<Hours>(),
    overrides: p.json<readonly OverrideEntry[]>(),
    /** Minutes, like buffers and notices. */
    slotInterval: p.integer().nullable(),
    bufferBefore: p.integer(),
    bufferAfter: p.integer(),
    minimumNotice: p.integer(),
    /** Days. */
    maximumAdvance: p.integer().nullable(),
    maxPerDay: p.integer().nullable(),
    allowCustomerReschedule: p.boolean(),
    cancelNotice: p.integer(),
    rescheduleNotice: p.integer(),
    /** Minutes for which a freed slot is held for a waiting person; null: no waiting list. */
    waitingListMinutes: p.integer().nullable(),
    showSeats: p.boolean(),
    confirmation: p.json<Confirmation>().nullable(),
    reminders: p.json<readonly Reminder[]>(),
    ...timestamps(),
    /** When the manifest removed it. A manifest with the same key restores it. */
    deletedAt: p.datetime().nullable(),
  },
});

export class Calendar extends CalendarTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
CalendarTable.setClass(Calendar);
