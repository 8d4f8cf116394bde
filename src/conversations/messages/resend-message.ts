import { Fault, notFound, orNotFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { carrierOf, channelSender } from '../channels/channel.store.ts';
import { lockThread } from '../threads/conversation.store.ts';
import { copyFiles } from '../../files/attach-files.ts';
import { findAuthor } from './find-author.ts';
import { theMessage } from './find-messages.ts';
import type { Attachment } from './insert-message.ts';
import type { MessageStatus } from './message.schema.ts';
import { sendInThread, type WrittenMessage } from './write-message.ts';

/** The conversation and the failed message. */
interface FailedMessage {
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Sends a failed message again, once: its text to its address, as a new message, since a failure is
 * final. Throws if the message did not fail, or if it was sent again already.
 */
export async function resendMessage(
  work: Work,
  { conversationId, messageId }: FailedMessage,
): Promise<WrittenMessage> {
  const values = [work.subAccountId, conversationId, messageId];
  const [message] = await work.rows<Message>(FAILED, values);
  if (!message) {
    throw notFound('message');
  }
  const { channel, toAddress, bodyText, bodyHtml, subject, attachment } = message;
  const carrier = await carrierOf(work, channel);
  const fromAddress = await channelSender(work, channel);
  // The lock lets one of two simultaneous calls look first.
  const thread = await lockThread(work, conversationId, toAddress);
  const [copy] = await work.rows<{ id: string }>(COPY, [work.subAccountId, messageId]);
  refuseUnlessFailed(message, copy?.id);
  const { isAutomatic, isAutoReply } = message;
  const author = await findAuthor(work, thread.assigneeName);
  const texts = { bodyText, bodyHtml, subject, attachment, isAutomatic, isAutoReply, author };
  const content = { conversationId, channel, fromAddress, ...texts, resendOf: messageId };
  const recipient = () => Promise.resolve(toAddress);
  const written = await sendInThread(work, { thread, carrier, recipient, content });
  if ('skipped' in written) {
    return written;
  }
  copyFiles(work, { from: messageId, to: written.id });
  return { id: written.id, record: theMessage(written.id) };
}

/** The same for a message of any conversation. */
export async function resendMessageById(work: Work, messageId: string): Promise<WrittenMessage> {
  const values = [work.subAccountId, messageId];
  const [message] = await work.rows<{ conversationId: string }>(CONVERSATION, values);
  return resendMessage(work, { messageId, ...orNotFound(message, 'message') });
}

interface Message {
  readonly channel: Channel;
  readonly status: MessageStatus;
  readonly toAddress: string | null;
  readonly bodyText: string | null;
  readonly bodyHtml: string | null;
  readonly subject: string | null;
  readonly attachment: Attachment | null;
  readonly isAutomatic: boolean;
  readonly isAutoReply: boolean;
}

function refuseUnlessFailed({ status }: Message, copyId: string | undefined): void {
  if (status !== 'failed' && status !== 'bounced') {
    const message = `the message is ${status}; only a failed or bounced one is sent again`;
    throw new Fault('VALIDATION_ERROR', message, { reason: 'not_failed' });
  }
  if (copyId !== undefined) {
    const message = `the message was sent again already, as ${copyId}`;
    throw new Fault('VALIDATION_ERROR', message, { reason: 'sent_again', messageId: copyId });
  }
}

const FAILED = `select m.channel, m.status, m.to_address as "toAddress", m.body_text as "bodyText",
    m.body_html as "bodyHtml", m.subject, m.attachment,
    m.is_automatic as "isAutomatic", m.is_auto_reply as "isAutoReply"
  from messages m
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  where m.sub_account_id = $1 and m.conversation_id = $2 and m.id = $3
    and m.direction = 'outbound' and not m.is_internal and v.deleted_at is null`;

const CONVERSATION = `select conversation_id as "conversationId" from messages
  where sub_account_id = $1 and id = $2`;

const COPY = 'select id from messages where sub_account_id = $1 and resend_of = $2';
