import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { messageSchema, skippedSchema } from '../messages/message.schema.ts';
import { resendMessage } from '../messages/resend-message.ts';
import { messageReply } from '../messages/write-message.ts';
import { findReplies } from '../replies/find-replies.ts';
import { conversationSchema } from '../threads/conversation.schema.ts';
import { readConversation, theConversation } from '../threads/conversation.store.ts';
import { snoozeConversation } from '../threads/update-conversation.ts';
import { findDraft, saveDraft } from './drafts.ts';
import { countInbox, findInbox } from './find-inbox.ts';
import {
  draftBody,
  draftSchema,
  inboxCountsSchema,
  inboxQuery,
  inboxRowSchema,
  replySchema,
  snoozeBody,
} from './inbox.schema.ts';
import { markRead, markUnread } from './mark-read.ts';
import { readRemoteImage } from './remote-image.ts';

const PATH = '/console/api/v1/conversations';
const read = { access: memberScope('conversations:read'), rate: 'read' } as const;
const write = { access: memberScope('conversations:write'), rate: 'write' } as const;

const assertExists = (view: View, { id }: { readonly id: string }) => readConversation(view, id);

const URL_MAX = 2_000;

/** For paths that name a conversation. */
const ofConversation = { params: s.request({ id: s.uuid() }), assertExists };

/** Endpoints of the inbox that only the console has. */
export const inboxEndpoints = [
  defineConsoleEndpoint({
    id: 'inbox.list',
    method: 'GET',
    path: PATH,
    summary: 'List conversations with their last message',
    description:
      'Takes the parameters of the API, and views, a search and the order by activity. Internal notes are no last message.',
    ...read,
    paged: true,
    query: inboxQuery,
    data: Type.Array(inboxRowSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: ({ view, query, after, caller: { memberId } }) =>
      findInbox(view, query, { after, memberId }),
  }),

  defineConsoleEndpoint({
    id: 'inbox.counts',
    method: 'GET',
    path: '/console/api/v1/inbox/counts',
    summary: 'Count open and unread conversations of each view',
    ...read,
    data: inboxCountsSchema,
    read: ({ view, caller: { memberId } }) => countInbox(view, memberId),
  }),

  defineConsoleEndpoint({
    id: 'inbox.read',
    method: 'POST',
    path: `${PATH}/:id/read`,
    summary: 'Mark a conversation as read',
    ...write,
    ...ofConversation,
    bodyOptional: true,
    data: conversationSchema,
    async write({ work, params: { id } }) {
      await markRead(work, id);
      return { data: theConversation(id) };
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.unread',
    method: 'POST',
    path: `${PATH}/:id/unread`,
    summary: 'Mark a conversation as unread',
    ...write,
    ...ofConversation,
    bodyOptional: true,
    data: conversationSchema,
    async write({ work, params: { id } }) {
      await markUnread(work, id);
      return { data: theConversation(id) };
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.snooze',
    method: 'POST',
    path: `${PATH}/:id/snooze`,
    summary: 'Snooze a conversation until a time',
    description: 'It opens at that time, or when a message arrives.',
    ...write,
    ...ofConversation,
    body: snoozeBody,
    data: conversationSchema,
    async write({ work, params: { id }, body: { until } }) {
      await snoozeConversation(work, id, until);
      return { data: theConversation(id) };
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.resend',
    method: 'POST',
    path: `${PATH}/:id/messages/:messageId/resend`,
    summary: 'Send a failed message again',
    description:
      'Writes the same message to the same address as a new one: a failure is final. Once per message; `details.reason` is `not_failed` or `sent_again`. A suppressed contact is skipped with 200.',
    ...write,
    params: s.request({ id: s.uuid(), messageId: s.uuid() }),
    assertExists,
    bodyOptional: true,
    data: Type.Union([messageSchema, skippedSchema]),
    status: 201,
    otherStatus: 200,
    async write({ work, params: { id: conversationId, messageId } }) {
      return messageReply(await resendMessage(work, { conversationId, messageId }));
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.image',
    method: 'GET',
    path: `${PATH}/:id/messages/:messageId/image`,
    summary: 'Fetch an image that a mail refers to',
    description:
      'Only addresses in the HTML of the message are fetched, and only PNG, JPEG, GIF and WebP images up to 5 MiB are returned; all else is 404. The sender sees the address of this server.',
    ...read,
    params: s.request({ id: s.uuid(), messageId: s.uuid() }),
    assertExists,
    query: s.request({
      url: Type.String({ maxLength: URL_MAX, examples: ['https://example.com/logo.png'] }),
    }),
    data: Type.Null(),
    documents: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    faults: ['SERVICE_UNAVAILABLE'],
    read: ({ view, tools, caller, params: { id: conversationId, messageId }, query: { url } }) =>
      readRemoteImage(view, tools.outbound, {
        userId: caller.user.id,
        conversationId,
        messageId,
        url,
      }),
  }),

  defineConsoleEndpoint({
    id: 'inbox.draft',
    method: 'GET',
    path: `${PATH}/:id/draft`,
    summary: "Get the user's draft in a conversation",
    description: 'Without a draft, `bodyText` is empty and `updatedAt` null.',
    ...read,
    ...ofConversation,
    data: draftSchema,
    async read({ view, params: { id: conversationId }, caller: { user } }) {
      await readConversation(view, conversationId);
      return findDraft(view, { conversationId, userId: user.id });
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.save-draft',
    method: 'PUT',
    path: `${PATH}/:id/draft`,
    summary: "Save the user's draft in a conversation",
    description: 'Empty text without a subject removes it.',
    ...write,
    ...ofConversation,
    body: draftBody,
    data: draftSchema,
    async write({ work, params: { id: conversationId }, body, caller: { user } }) {
      await readConversation(work, conversationId);
      const key = { conversationId, userId: user.id };
      saveDraft(work, key, body);
      return { data: async (view: View) => (await findDraft(view, key)).data };
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.replies',
    method: 'GET',
    path: '/console/api/v1/replies',
    summary: 'List the saved replies by name',
    ...read,
    data: Type.Array(replySchema),
    read: ({ view }) => findReplies(view),
  }),
];
