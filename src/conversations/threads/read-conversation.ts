import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { conversationSchema } from './conversation.schema.ts';
import { VISITOR_VERIFIED } from './visitor-verified.ts';

const CONTACT = `(select json_build_object(
    'name', trim(c.first_name || ' ' || c.last_name), 'email', c.email, 'phone', c.phone)
  from contacts c where c.sub_account_id = v.sub_account_id and c.id = v.contact_id)`;

/** Conversation `v` as every endpoint but its opening shows it. */
const conversationRecord = recordSchema(conversationSchema, 'v', {
  contact: CONTACT,
  visitorVerified: VISITOR_VERIFIED,
});

export const liveConversations = {
  table: 'conversations',
  alias: 'v',
  record: conversationRecord,
} as const;

export const readConversation = readerOf('conversation', liveConversations);
export const theConversation = answerOf(readConversation);
