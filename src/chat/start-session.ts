import { insertInto } from '#core/schema/columns.ts';
import { invalidField, notFound } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { chatOf } from './chat-settings.ts';
import type { SessionCreate } from './chat.schema.ts';
import { newSessionId, sessionKey } from './chat-session.ts';
import { createMinimalContact } from '../contacts/create-minimal-contact.ts';
import { findSender } from '../conversations/inbound/find-sender.ts';
import { insertConversation } from '../conversations/threads/conversation.store.ts';
import { lockNames, senderName } from '../conversations/inbound/lock-names.ts';

/** Starts a chat: a new conversation with the visitor's contact. Only the returned secret opens it. */
export async function startSession(work: Work, visitor: SessionCreate) {
  const { subAccountId, now } = work;
  const { visitorName, visitorEmail = null } = visitor;
  const { enabled, requireEmail } = await chatOf(work);
  if (!enabled) {
    throw notFound('chat');
  }
  if (requireEmail && visitorEmail === null) {
    throw invalidField('/visitorEmail', 'is required');
  }
  const contactId = await findVisitor(work, visitor);
  const conversationId = insertConversation(work, { contactId, channel: 'live_chat' });
  const sessionId = newSessionId(subAccountId);
  work.write(INSERT, [
    subAccountId,
    newId(now),
    sessionKey(sessionId).hash,
    conversationId,
    visitorName.trim(),
    visitorEmail,
    now,
  ]);
  work.audit(conversationId);
  return { sessionId, createdAt: now.toISOString() };
}

const INSERT = insertInto('chat_sessions', [
  'subAccountId',
  'id',
  'secretHash',
  'conversationId',
  'visitorName',
  'visitorEmail',
  'createdAt',
]);

/** Returns the contact with the visitor's email, unchanged since the email is unverified; else a new one. */
async function findVisitor(
  work: Work,
  { visitorName: fullName, visitorEmail: email = null }: SessionCreate,
): Promise<string> {
  if (email !== null) {
    await lockNames(work, [senderName(email)]);
    const known = await findSender(work, 'email', email);
    if (known) {
      return known.contactId;
    }
  }
  const input = { fullName, source: 'live_chat', ...(email !== null && { email }) };
  return (await createMinimalContact(work, input)).contactId;
}
