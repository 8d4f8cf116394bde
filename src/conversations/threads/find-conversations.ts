import { pageQuery } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import { findLive, type ListCall } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import { channel, CONVERSATION_STATUSES } from './conversation.schema.ts';
import { liveConversations } from './conversation.store.ts';

export const conversationQuery = s.request({
  ...pageQuery,
  status: Type.Optional(s.oneOf(CONVERSATION_STATUSES)),
  channel: Type.Optional(channel),
  contactId: Type.Optional(s.uuid()),
  assignedTo: Type.Optional(s.uuid()),
});

/** Returns a page of live conversations, newest first by creation. */
export function findConversations({
  view,
  query,
  after,
}: ListCall<Static<typeof conversationQuery>>): Promise<Reply> {
  const { status, channel: byChannel, contactId, assignedTo } = query;
  return findLive(view, liveConversations, {
    query,
    after,
    filters: (bind) => [
      status !== undefined && `v.status = ${bind(status)}`,
      byChannel !== undefined && `v.channel = ${bind(byChannel)}`,
      contactId !== undefined && `v.contact_id = ${bind(contactId)}::uuid`,
      assignedTo !== undefined && `v.assigned_to = ${bind(assignedTo)}::uuid`,
    ],
  });
}
