import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { CONVERSATION_STATUSES } from './conversation.schema.ts';

export const ConversationTable = defineEntity({
  name: 'Conversation',
  tableName: 'conversations',
  uniques: [
    {
      properties: ['subAccountId', 'contactId', 'channel'],
      where:
        "deleted_at is null and (channel = 'sms' or (status = 'open' and channel <> 'live_chat'))",
    },
  ],
  properties: {
    ...recordKey(),
    contactId: p.uuid(),
    channel: p.text().$type<Channel>(),
    status: p.text().$type<(typeof CONVERSATION_STATUSES)[number]>(),
    assignedTo: p.uuid().nullable(),
    subject: p.text().nullable(),
    /** Inbound messages since the last reply. */
    unreadCount: p.integer().default(0),
    isArchived: p.boolean().default(false),
    /** When a snoozed conversation opens; a trigger clears it with the status. */
    snoozedUntil: p.datetime().nullable(),
    lastMessageAt: p.datetime().nullable(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
    /** Hours since 1970 of the latest message, or of the creation: the order of the inbox. */
    activityHour: p
      .integer()
      .generated(
        `(floor(extract(epoch from coalesce(last_message_at, created_at) at time zone 'UTC') / 3600)) stored`,
      )
      .lazy(),
    isUnread: p.boolean().generated('(unread_count > 0) stored').lazy(),
  },
});

/** A thread with one contact on one channel. */
export class Conversation extends ConversationTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, assigned_to) references team_members (sub_account_id, id) on delete set null (assigned_to)',
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
ConversationTable.setClass(Conversation);
