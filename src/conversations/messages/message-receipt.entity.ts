import type { MessageStatus } from './message.schema.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { Channel } from '../../contacts/channels.ts';

const MessageReceiptTable = defineEntity({
  name: 'MessageReceipt',
  tableName: 'message_receipts',
  uniques: [{ properties: ['subAccountId', 'channel', 'externalId', 'status'] }],
  properties: {
    ...recordKey(),
    channel: p.text().$type<Channel>(),
    externalId: p.text(),
    status: p.text().$type<Exclude<MessageStatus, 'pending'>>(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    createdAt: p.datetime(),
  },
});

/** A delivery status that arrived before the message it is about was known. */
export class MessageReceipt extends MessageReceiptTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
MessageReceiptTable.setClass(MessageReceipt);
