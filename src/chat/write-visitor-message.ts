import type { Work } from '#core/work.ts';
import { insertMessage } from '../conversations/messages/insert-message.ts';
import { messageReceived } from '../conversations/messages/message.events.ts';
import type { ChatMessage } from './chat.schema.ts';
import { noSession, type SessionKey } from './chat-session.ts';

/** Stores a visitor's message, reopens its conversation and counts the message as unread. */
export async function writeVisitorMessage(
  work: Work,
  { hash }: SessionKey,
  bodyText: string,
): Promise<ChatMessage> {
  const { subAccountId, now } = work;
  const [session] = await work.rows<Session>(LOCK_VISITOR, [subAccountId, hash]);
  if (!session) {
    throw noSession();
  }
  const { conversationId, contactId, tags, visitorName, fromAddress } = session;
  const inThread = { conversationId, channel: 'live_chat' } as const;
  const said = { direction: 'inbound', bodyText, fromAddress } as const;
  const { id } = insertMessage(work, { ...inThread, ...said, ...PLAIN });
  work.write(REOPEN, [subAccountId, conversationId, now]);
  const data = { messageId: id, ...inThread, ...said, visitorVerified: false };
  await work.emit(messageReceived, { contactId, tags, data });
  return {
    id,
    direction: 'inbound',
    bodyText,
    senderName: visitorName,
    createdAt: now.toISOString(),
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
  readonly conversationId: string;
  readonly contactId: string;
  readonly tags: readonly string[];
  readonly visitorName: string;
  readonly fromAddress: string | null;
}

/** The contact is a subquery: after waiting for a merge, it reads the contact of that moment. */
const LOCK_VISITOR = `select v.id as "conversationId", v.contact_id as "contactId",
    (select c.tags from contacts c where c.sub_account_id = $1 and c.id = v.contact_id) as tags,
    s.visitor_name as "visitorName", s.visitor_email as "fromAddress"
  from chat_sessions s
  join sub_accounts a on a.id = s.sub_account_id
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  where s.sub_account_id = $1 and s.secret_hash = $2
    and a.deleted_at is null and v.deleted_at is null
  for no key update of v`;

const REOPEN = `update conversations
  set status = 'open', unread_count = unread_count + 1,
    last_message_at = greatest(last_message_at, $3), updated_at = $3
  where sub_account_id = $1 and id = $2`;
