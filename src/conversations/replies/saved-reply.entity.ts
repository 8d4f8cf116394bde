import { defineEntity, p } from '@mikro-orm/core';

const SavedReplyTable = defineEntity({
  name: 'SavedReply',
  tableName: 'saved_replies',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    name: p.text(),
    /** With merge fields, which are resolved when it is sent. */
    body: p.text(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A text that the team inserts into its replies. */
export class SavedReply extends SavedReplyTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
SavedReplyTable.setClass(SavedReply);
