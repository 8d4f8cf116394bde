import type { Work } from '#core/work.ts';
import { inboundText } from '../conversations/inbound/inbound-body.ts';
import { insertMessage } from '../conversations/messages/insert-message.ts';
import { messageReceived } from '../conversations/messages/message.events.ts';
import { refuseBlank } from '../conversations/messages/message-files.ts';
import { attachFiles, lockUploaded } from '../files/attach-files.ts';
import { uploadedFile } from '../files/file.schema.ts';
import type { LinkOfFile } from './find-chat-messages.ts';
import type { ChatMessage } from './chat.schema.ts';
import { noSession, type SessionKey } from './chat-session.ts';

/** What a visitor says. */
export interface VisitorMessage {
  readonly message: string;
  readonly attachmentIds?: readonly string[];
}

/** Stores a visitor's message, reopens its conversation and counts the message as unread. */
export async function writeVisitorMessage(
  work: Work,
  { hash }: SessionKey,
  { message, attachmentIds = [] }: VisitorMessage,
  linkOf: LinkOfFile,
): Promise<ChatMessage> {
  const { subAccountId, now } = work;
  const bodyText = inboundText(message);
  refuseBlank(bodyText, attachmentIds.length, '/message');
  const [session] = await work.rows<Session>(LOCK_VISITOR, [subAccountId, hash]);
  if (!session) {
    throw noSession();
  }
  const { conversationId, contactId, tags, visitorName, fromAddress } = session;
  const files =
    attachmentIds.length > 0 ? await lockUploaded(work, attachmentIds, session.sessionId) : [];
  const inThread = { conversationId, channel: 'live_chat' } as const;
  const said = { direction: 'inbound', bodyText, fromAddress } as const;
  const { id } = insertMessage(work, { ...inThread, ...said, ...PLAIN });
  attachFiles(
    work,
    id,
    files.map((file) => file.id),
  );
  work.write(REOPEN, [subAccountId, conversationId, now]);
  const attachments = files.map(uploadedFile);
  const data = { messageId: id, ...inThread, ...said, attachments, visitorVerified: false };
  await work.emit(messageReceived, { contactId, tags, data });
  return {
    id,
    direction: 'inbound',
    bodyText,
    senderName: visitorName,
    senderPictureUrl: null,
    createdAt: now.toISOString(),
    attachments: files.map((file) => ({ ...file, url: linkOf(file.id) })),
  };
}

const PLAIN = {
  bodyHtml: null,
  subject: null,
  status: 'delivered',
  toAddress: null,
  isInternal: false,
} as const;

interface Session {
  readonly sessionId: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly tags: readonly string[];
  readonly visitorName: string;
  readonly fromAddress: string | null;
}

/** The contact is a subquery: after waiting for a merge, it reads the contact of that moment. */
const LOCK_VISITOR = `select s.id as "sessionId", v.id as "conversationId", v.contact_id as "contactId",
    (select c.tags from contacts c where c.sub_account_id = $1 and c.id = v.contact_id) as tags,
    s.visitor_name as "visitorName", s.visitor_email as "fromAddress"
  from chat_sessions s
  join sub_accounts a on a.id = s.sub_account_id
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  where s.sub_account_id = $1 and s.secret_hash = $2
    and a.deleted_at is null and v.deleted_at is null
  for no key update of v`;

const REOPEN = `update conversations
  set status = 'open', is_archived = false, unread_count = unread_count + 1,
    last_message_at = greatest(last_message_at, $3), updated_at = $3
  where sub_account_id = $1 and id = $2`;
