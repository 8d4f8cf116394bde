import { defineEntity, p } from '@mikro-orm/core';
import type { Hours } from './calendar-entry.ts';

const CalendarMemberTable = defineEntity({
  name: 'CalendarMember',
  tableName: 'calendar_members',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    calendarId: p.uuid(),
    memberId: p.uuid(),
    position: p.integer(),
    /** The member's own hours, instead of the calendar's. */
    hours: p.json<Hours>().nullable(),
  },
});

export class CalendarMember extends CalendarMemberTable.class {}
CalendarMemberTable.setClass(CalendarMember);
