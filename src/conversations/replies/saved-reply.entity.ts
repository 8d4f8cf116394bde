import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';

const SavedReplyTable = defineEntity({
  name: 'SavedReply',
  tableName: 'saved_replies',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    /** With merge fields, which are resolved when it is sent. */
    body: p.text(),
    ...timestamps(),
  },
});

/** A text that the team inserts into its replies. */
export class SavedReply extends SavedReplyTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
SavedReplyTable.setClass(SavedReply);
