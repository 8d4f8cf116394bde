import type { Work } from '#core/work.ts';
import { changeMessageStatus } from '../conversations/messages/change-message-status.ts';
import { notePresence, VISITOR } from '../conversations/presence/presence.store.ts';
import { noSession, type SessionKey } from './chat-session.ts';

/** Shows the team that the visitor types, or has stopped. */
export async function noteVisitorTyping(
  work: Work,
  key: SessionKey,
  isTyping: boolean,
): Promise<void> {
  const { conversationId, visitorName } = await sessionOf(work, key);
  const visitor = { participant: VISITOR, name: visitorName };
  notePresence(work, conversationId, visitor, isTyping ? 'typing' : 'viewing');
}

/**
 * Marks the team's messages up to one of this chat as read, as a provider's read receipt does. An unknown
 * message marks none.
 */
export async function noteVisitorSeen(
  work: Work,
  key: SessionKey,
  messageId: string,
): Promise<void> {
  const { conversationId } = await sessionOf(work, key);
  const values = [work.subAccountId, conversationId, messageId];
  for (const { id } of await work.rows<{ id: string }>(UNSEEN, values)) {
    await changeMessageStatus(work, id, { status: 'read' });
  }
}

interface Session {
  readonly conversationId: string;
  readonly visitorName: string;
}

async function sessionOf(work: Work, { hash }: SessionKey): Promise<Session> {
  const [session] = await work.rows<Session>(SESSION, [work.subAccountId, hash]);
  if (!session) {
    throw noSession();
  }
  return session;
}

const SESSION = `select s.conversation_id as "conversationId", s.visitor_name as "visitorName"
  from chat_sessions s
  join sub_accounts a on a.id = s.sub_account_id
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  where s.sub_account_id = $1 and s.secret_hash = $2
    and a.deleted_at is null and v.deleted_at is null`;

const UNSEEN = `select m.id from messages m
  where m.sub_account_id = $1 and m.conversation_id = $2 and m.direction = 'outbound'
    and not m.is_internal and m.status in ('pending', 'sent', 'delivered')
    and m.chat_position <= (
      select k.chat_position from messages k
      where k.sub_account_id = $1 and k.id = $3::uuid and k.conversation_id = $2
    )
  order by m.id`;
