import { V7Generator } from 'uuidv7';
import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { NO_AUTHOR, type Author } from './find-author.ts';
import { newMessageRecord } from './find-messages.ts';
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
  /** The failed message that this one repeats. */
  readonly resendOf?: string | null;
  /** No person and no caller of the API wrote it. */
  readonly isAutomatic?: boolean;
  /** An automatic mail that replies to an inbound message. */
  readonly isAutoReply?: boolean;
  readonly author?: Author;
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
  const { resendOf = null, isAutomatic = false, isAutoReply = false } = message;
  const { author = NO_AUTHOR } = message;
  const all = { ...message, ...author, attachment, resendOf, isAutomatic, isAutoReply };
  const row = { ...all, subAccountId, id: newId(now), createdAt: now };
  const values = MEMBERS.map((member) => row[member]);
  work.audit(row.id);
  return { id: row.id, record: work.writeRecord(INSERT, values, newMessageRecord) };
}

/** A message that a provider received. */
export interface InboundRow extends Omit<
  NewMessage,
  | 'direction'
  | 'status'
  | 'isInternal'
  | 'attachment'
  | 'resendOf'
  | 'isAutomatic'
  | 'isAutoReply'
  | 'author'
> {
  readonly externalId: string;
  /** Its sender may be forged. */
  readonly isUnproven: boolean;
  /** The time of the message. */
  readonly createdAt: Date;
}

/**
 * Inserts an inbound message and returns its id, which is made from the message's time: lists are
 * ordered by id, and a message may arrive late.
 */
export function insertInboundMessage(work: Work, message: InboundRow): string {
  const id = generator.generateOrResetWithTs(message.createdAt.getTime()).toString();
  const { subAccountId } = work;
  const row = { ...message, subAccountId, id, direction: 'inbound', status: 'delivered' };
  const values = INBOUND_MEMBERS.map((member) => row[member]);
  work.write(INSERT_INBOUND, values);
  work.audit(id);
  return id;
}

/** A generator of its own: going back in time would break the order of all other ids. */
const generator = new V7Generator();
generator.setRollbackAllowance(0);

const SHARED_MEMBERS = [
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
  'createdAt',
] as const;

const MEMBERS = [
  ...SHARED_MEMBERS,
  'isInternal',
  'attachment',
  'resendOf',
  'isAutomatic',
  'isAutoReply',
  'authorId',
  'authorName',
] as const;
const INBOUND_MEMBERS = [...SHARED_MEMBERS, 'externalId', 'isUnproven'] as const;

const INSERT = `${insertInto('messages as m', MEMBERS)} returning ${newMessageRecord.members}`;
const INSERT_INBOUND = insertInto('messages', INBOUND_MEMBERS);
