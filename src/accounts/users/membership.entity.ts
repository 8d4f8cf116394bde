import { defineEntity, p } from '@mikro-orm/core';
import { timestamps } from '#platform/database/columns.ts';
import type { MemberRole } from '#core/role.ts';

const MembershipTable = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    subAccountId: p.uuid().primary(),
    userId: p.uuid().primary(),
    role: p.text().$type<MemberRole>(),
    /** Whether a claim of the OpenID provider gave the role. */
    byClaim: p.boolean().default(false),
    /** The less powerful role that a person gave, while a claim gives the role. */
    givenRole: p.text().$type<MemberRole>().nullable(),
    ...timestamps(),
  },
});

/** The role of a user in a sub-account. */
export class Membership extends MembershipTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(user_id) references users (id) on delete cascade',
  ];
}
MembershipTable.setClass(Membership);
