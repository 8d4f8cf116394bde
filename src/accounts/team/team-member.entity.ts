import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';
import type { StoredExternalCalendar } from './external-calendar.ts';

const TeamMemberTable = defineEntity({
  name: 'TeamMember',
  tableName: 'team_members',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    email: p.text().nullable(),
    externalCalendar: p.json<StoredExternalCalendar>().nullable(),
    /** Sealed. */
    externalPassword: p.blob().nullable(),
    ...timestamps(),
  },
});

export class TeamMember extends TeamMemberTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
TeamMemberTable.setClass(TeamMember);
