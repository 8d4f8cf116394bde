import { defineEntity, p } from '@mikro-orm/core';
import type { StoredExternalCalendar } from './external-calendar.ts';

const TeamMemberTable = defineEntity({
  name: 'TeamMember',
  tableName: 'team_members',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    name: p.text(),
    email: p.text().nullable(),
    externalCalendar: p.json<StoredExternalCalendar>().nullable(),
    /** Sealed. */
    externalPassword: p.blob().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class TeamMember extends TeamMemberTable.class {}
TeamMemberTable.setClass(TeamMember);
