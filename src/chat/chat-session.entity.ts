import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const ChatSessionTable = defineEntity({
  name: 'ChatSession',
  tableName: 'chat_sessions',
  uniques: [
    { properties: ['subAccountId', 'conversationId'] },
    { properties: ['subAccountId', 'secretHash'] },
  ],
  properties: {
    ...recordKey(),
    secretHash: p.blob(),
    conversationId: p.uuid(),
    visitorName: p.text(),
    visitorEmail: p.text().nullable(),
    createdAt: p.datetime(),
  },
});

/** A visitor's live chat. The visitor holds the secret, the database its hash. */
export class ChatSession extends ChatSessionTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, conversation_id) references conversations (sub_account_id, id)',
  ];
}
ChatSessionTable.setClass(ChatSession);
