import { invalidField, type Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../../accounts/team/refuse-unknown-assignee.ts';
import type { Conversation } from './conversation.entity.ts';
import type { ConversationPatch } from './conversation.schema.ts';
import { lockConversation } from './conversation.store.ts';

/**
 * Changes status and assignee; closing marks everything as read. Throws if a second conversation of
 * the contact and channel would be open.
 */
export async function updateConversation(
  work: Work,
  id: string,
  { status, assignedTo }: ConversationPatch,
): Promise<void> {
  const conversation = await lockConversation(work, id);
  const isMoved = status !== undefined && status !== conversation.status;
  const isTakenOver = assignedTo !== undefined && assignedTo !== (conversation.assignedTo ?? null);
  if (!isMoved && !isTakenOver) {
    return;
  }
  if (isMoved) {
    conversation.status = status;
    conversation.unreadCount = status === 'closed' ? 0 : conversation.unreadCount;
  }
  if (isTakenOver) {
    conversation.assignedTo = assignedTo;
  }
  conversation.updatedAt = work.now;
  refuseUnknownAssignee(work, 'conversations');
  work.mapConstraint('conversations_current', (view) => otherIsOpen(view, conversation));
  work.audit(id);
}

async function otherIsOpen(view: View, { id, contactId, channel }: Conversation): Promise<Fault> {
  const values = [view.subAccountId, contactId, channel, id];
  const [other] = await view.rows<{ id: string }>(OTHER, values);
  return invalidField('/status', 'another conversation of this contact and channel is open', {
    reason: 'conversation_open',
    conversationId: other?.id ?? null,
  });
}

const OTHER = `select id from conversations
  where sub_account_id = $1 and contact_id = $2 and channel = $3 and id <> $4
    and status = 'open' and deleted_at is null`;
