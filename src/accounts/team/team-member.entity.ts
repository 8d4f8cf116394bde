import { defineEntity, p } from '@mikro-orm/core';
import type { StoredExternalCalendar } from './external-calendar.ts';

const TeamMemberTable = defineEntity({
  name: 'TeamMember',
  tableName: 'team_members',
  uniques: [{ properties: ['subAccountId', 'key'] }],
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

export class TeamMember extends TeamMemberTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
TeamMemberTable.setClass(TeamMember);
