import { defineEntity, p } from '@mikro-orm/core';
import type { Channel } from '../../contacts/channels.ts';
import type { CONVERSATION_STATUSES } from './conversation.schema.ts';

const ConversationTable = defineEntity({
  name: 'Conversation',
  tableName: 'conversations',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    contactId: p.uuid(),
    channel: p.text().$type<Channel>(),
    status: p.text().$type<(typeof CONVERSATION_STATUSES)[number]>(),
    assignedTo: p.uuid().nullable(),
    subject: p.text().nullable(),
    /** Inbound messages since the last reply. */
    unreadCount: p.integer(),
    isArchived: p.boolean(),
    lastMessageAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
  },
});

/** A thread with one contact on one channel. */
export class Conversation extends ConversationTable.class {}
ConversationTable.setClass(Conversation);
