import { defineEntity, p } from '@mikro-orm/core';

const MailingLeaseRowTable = defineEntity({
  name: 'MailingLeaseRow',
  tableName: 'campaign_turns',
  properties: {
    subAccountId: p.uuid().primary(),
    turn: p.uuid().nullable(),
    turnUntil: p.datetime(6).nullable(),
  },
});

/** Which run of the mailing job mails for a sub-account, and until when. */
export class MailingLeaseRow extends MailingLeaseRowTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
MailingLeaseRowTable.setClass(MailingLeaseRow);
