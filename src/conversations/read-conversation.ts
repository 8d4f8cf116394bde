import type { Answer } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import type { Json } from '#kit/json.ts';
import { recordShape } from '#kit/record.ts';
import type { PointRead, View } from '#kit/work.ts';
import { conversationShape } from './conversation.shape.ts';

const CONTACT = `(select json_build_object(
    'name', trim(c.first_name || ' ' || c.last_name), 'email', c.email, 'phone', c.phone)
  from contacts c where c.sub_account_id = v.sub_account_id and c.id = v.contact_id)`;

/** Conversation `v` as every endpoint but its opening shows it. */
export const conversationRecord = recordShape(conversationShape, 'v', { contact: CONTACT });

const CONVERSATION: PointRead = {
  record: conversationRecord,
  text: `select wanted.n, ${conversationRecord.members}
    from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (sub_account_id, id, n)
    join conversations v on v.sub_account_id = wanted.sub_account_id and v.id = wanted.id
    where v.deleted_at is null`,
};

export async function readConversation(view: View, id: string): Promise<Json> {
  const conversation = await view.point(CONVERSATION, id);
  if (!conversation) {
    throw notFound('conversation');
  }
  return conversation;
}

/** Answers a change with the conversation as it is after it. */
export const theConversation =
  (id: string): Answer =>
  (view) =>
    readConversation(view, id);
