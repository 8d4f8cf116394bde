import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { Hours } from './calendar-entry.ts';

const CalendarMemberTable = defineEntity({
  name: 'CalendarMember',
  tableName: 'calendar_members',
  uniques: [{ properties: ['subAccountId', 'calendarId', 'memberId'] }],
  properties: {
    ...recordKey(),
    calendarId: p.uuid(),
    memberId: p.uuid(),
    position: p.integer(),
    /** The member's own hours, instead of the calendar's. */
    hours: p.json<Hours>().nullable(),
  },
});

export class CalendarMember extends CalendarMemberTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, calendar_id) references calendars (sub_account_id, id)',
    '(sub_account_id, member_id) references team_members (sub_account_id, id) on delete cascade',
  ];
}
CalendarMemberTable.setClass(CalendarMember);
