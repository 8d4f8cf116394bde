import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { messageRecord } from './find-messages.ts';
import type { MessageStatus } from './message.schema.ts';

export interface NewMessage {
  readonly conversationId: string;
  readonly channel: Channel;
  readonly direction: 'inbound' | 'outbound';
  readonly bodyText: string | null;
  readonly bodyHtml: string | null;
  readonly subject: string | null;
  readonly status: MessageStatus;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
  readonly isInternal: boolean;
  /** Sent with mails only. */
  readonly attachment?: Attachment | null;
}

/** A text file. */
export interface Attachment {
  readonly name: string;
  /** The content type. */
  readonly type: string;
  readonly content: string;
}

export interface InsertedMessage {
  readonly id: string;
  /** The message as endpoints show it, once it is written. */
  readonly record: () => Json;
}

export function insertMessage(work: Work, message: NewMessage): InsertedMessage {
  const { subAccountId, now } = work;
  const attachment = message.attachment ? JSON.stringify(message.attachment) : null;
  const row = { ...message, attachment, subAccountId, id: newId(now), createdAt: now };
  const values = MEMBERS.map((member) => row[member]);
  work.audit(row.id);
  return { id: row.id, record: work.writeRecord(INSERT, values, messageRecord) };
}

const MEMBERS = [
  'subAccountId',
  'id',
  'conversationId',
  'channel',
  'direction',
  'bodyText',
  'bodyHtml',
  'subject',
  'status',
  'fromAddress',
  'toAddress',
  'isInternal',
  'attachment',
  'createdAt',
] as const;

const INSERT = `${insertInto('messages as m', MEMBERS)} returning ${messageRecord.members}`;
