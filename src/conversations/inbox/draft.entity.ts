import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const DraftTable = defineEntity({
  name: 'Draft',
  tableName: 'drafts',
  uniques: [{ properties: ['subAccountId', 'conversationId', 'userId'] }],
  properties: {
    ...recordKey(),
    conversationId: p.uuid(),
    /** A user of the installation. */
    userId: p.uuid(),
    bodyText: p.text(),
    subject: p.text().nullable(),
    isInternal: p.boolean().default(false),
    updatedAt: p.datetime(),
  },
});

/** Text that a user has not sent yet. */
export class Draft extends DraftTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, conversation_id) references conversations (sub_account_id, id) on delete cascade',
  ];
}
DraftTable.setClass(Draft);
