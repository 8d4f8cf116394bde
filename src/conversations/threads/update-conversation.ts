import { invalidField, type Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../../accounts/team/refuse-unknown-assignee.ts';
import type { Conversation } from './conversation.entity.ts';
import type { ConversationPatch } from './conversation.schema.ts';
import { lockConversation } from './conversation.store.ts';

/**
 * Changes status, assignee, archive and the end of a snooze; closing marks everything as read. Throws
 * if a second conversation of the contact and channel would be open.
 */
export async function updateConversation(
  work: Work,
  id: string,
  patch: ConversationPatch,
): Promise<void> {
  const conversation = await lockConversation(work, id);
  const next = { ...stateOf(conversation), ...given(patch) };
  next.snoozedUntil = snoozedUntil(work, conversation, patch);
  if (isSame(stateOf(conversation), next)) {
    return;
  }
  const isClosed = next.status === 'closed' && conversation.status !== 'closed';
  Object.assign(conversation, next, isClosed && { unreadCount: 0 }, { updatedAt: work.now });
  refuseUnknownAssignee(work, 'conversations');
  work.mapConstraint('conversations_current', (view) => otherIsOpen(view, conversation));
  work.audit(id);
}

type State = Pick<Conversation, 'status' | 'isArchived'> & {
  assignedTo: string | null;
  snoozedUntil: Date | null;
};

const stateOf = (conversation: Conversation): State => ({
  status: conversation.status,
  isArchived: conversation.isArchived,
  assignedTo: conversation.assignedTo ?? null,
  snoozedUntil: conversation.snoozedUntil ?? null,
});

const given = ({ status, assignedTo, isArchived }: ConversationPatch): Partial<State> => ({
  ...(status !== undefined && { status }),
  ...(assignedTo !== undefined && { assignedTo }),
  ...(isArchived !== undefined && { isArchived }),
});

const isSame = (before: State, after: State): boolean =>
  before.status === after.status &&
  before.isArchived === after.isArchived &&
  before.assignedTo === after.assignedTo &&
  before.snoozedUntil?.getTime() === after.snoozedUntil?.getTime();

/** Snoozes a conversation until a time, of a request that names it `until`. */
export function snoozeConversation(work: Work, id: string, until: number): Promise<void> {
  requireFuture(work, '/until', until);
  return updateConversation(work, id, { status: 'snoozed', snoozedUntil: until });
}

/** Returns when the conversation opens after the change. Throws if it is not snoozed, or in the past. */
function snoozedUntil(
  work: Work,
  conversation: Conversation,
  { status = conversation.status, snoozedUntil: until }: ConversationPatch,
): Date | null {
  if (until === undefined || until === null) {
    const stays = status === 'snoozed' && until === undefined;
    return stays ? (conversation.snoozedUntil ?? null) : null;
  }
  if (status !== 'snoozed') {
    const message = `needs status snoozed; the conversation would be ${status}`;
    throw invalidField('/snoozedUntil', message);
  }
  return requireFuture(work, '/snoozedUntil', until);
}

function requireFuture({ now }: Work, path: string, until: number): Date {
  const at = new Date(until);
  if (at <= now) {
    throw invalidField(path, `must be in the future, but is ${at.toISOString()}`);
  }
  return at;
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
