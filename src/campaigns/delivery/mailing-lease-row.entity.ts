import { defineEntity, p } from '@mikro-orm/core';

const MailingLeaseRowTable = defineEntity({
  name: 'MailingLeaseRow',
  tableName: 'campaign_turns',
  properties: {
    subAccountId: p.uuid().primary(),
    holder: p.uuid().fieldName('turn').nullable(),
    until: p.datetime(6).fieldName('turn_until').nullable(),
  },
});

/** The mailing lease of a sub-account: its holder and its end. */
export class MailingLeaseRow extends MailingLeaseRowTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
MailingLeaseRowTable.setClass(MailingLeaseRow);
