import type { MessageStatus } from './message.schema.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { Attachment } from './insert-message.ts';

export const MessageTable = defineEntity({
  name: 'Message',
  tableName: 'messages',
  uniques: [
    { properties: ['subAccountId', 'channel', 'externalId'], where: 'external_id is not null' },
    { properties: ['subAccountId', 'resendOf'], where: 'resend_of is not null' },
    {
      properties: ['subAccountId', 'conversationId', 'chatPosition'],
      where: 'chat_position is not null',
    },
  ],
  properties: {
    ...recordKey(),
    conversationId: p.uuid(),
    channel: p.text().$type<Channel>(),
    direction: p.text().$type<'inbound' | 'outbound'>(),
    bodyText: p.text().nullable(),
    bodyHtml: p.text().nullable(),
    subject: p.text().nullable(),
    status: p.text().$type<MessageStatus>(),
    fromAddress: p.text().nullable(),
    toAddress: p.text().nullable(),
    /** A note for the team, never sent. */
    isInternal: p.boolean().default(false),
    /** The provider's id. */
    externalId: p.text().nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    createdAt: p.datetime(),
    /** An inbound mail whose sender may be forged. */
    isUnproven: p.boolean().default(false),
    /** Outbound: a workflow or a booking notice, which no person and no caller of the API wrote. */
    isAutomatic: p.boolean().default(false),
    /** Automatic, from a workflow that an inbound message started. */
    isAutoReply: p.boolean().default(false),
    /** Place in the live chat, set by a trigger under the lock of the conversation. */
    chatPosition: p.bigint('number').nullable(),
    attachment: p.json<Attachment>().nullable(),
    /** The failed message that this one repeats. */
    resendOf: p.uuid().nullable(),
    /** The user of the console who wrote it. */
    authorId: p.uuid().nullable(),
    /** The name that visitors see. */
    authorName: p.text().nullable(),
  },
});

export class Message extends MessageTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, conversation_id) references conversations (sub_account_id, id)',
  ];
}
MessageTable.setClass(Message);
