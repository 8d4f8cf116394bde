import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { defineStreamEndpoint } from '#core/endpoint/stream-endpoint.ts';
import { Type } from 'typebox';
import {
  chatMessageSchema,
  configQuery,
  configSchema,
  messagePost,
  messagesQuery,
  sessionCreate,
  sessionSchema,
} from './chat.schema.ts';
import { findChatMessages } from './find-chat-messages.ts';
import { followChat } from './follow-chat.ts';
import { isId, namedSubAccount } from '../accounts/sub-accounts/sub-account.store.ts';
import { readConfig } from './chat-settings.ts';
import { requireFollowable, sessionKey } from './chat-session.ts';
import { startSession } from './start-session.ts';
import { writeVisitorMessage } from './write-visitor-message.ts';

/** Called by the widget from any web site. Responses hold only what the visitor wrote or received. */
export const chatEndpoints = [
  definePublicEndpoint({
    id: 'chat.config',
    method: 'GET',
    path: '/api/chat/config',
    summary: 'Get what a chat widget shows',
    query: configQuery,
    data: configSchema,
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    read: async ({ view }) => ({ data: await readConfig(view) }),
  }),

  definePublicEndpoint({
    id: 'chat.session',
    method: 'POST',
    path: '/api/chat/session',
    summary: 'Begin a chat',
    description:
      'Each session is a conversation of its own. Its contact is whoever has the email, who is not changed, else a new one; the visitor is told nothing of him. 404 where the chat is disabled.',
    limit: 'chat_session',
    body: sessionCreate,
    data: sessionSchema,
    status: 201,
    owner: async ({ body }) => namedSubAccount(body.subAccountId),
    write: async ({ work, body }) => ({ data: await startSession(work, body) }),
  }),

  definePublicEndpoint({
    id: 'chat.message',
    method: 'POST',
    path: '/api/chat/message',
    summary: 'Say something in a chat',
    description:
      'Sent again with the same `Idempotency-Key`, it is said once and answered as it was the first time.',
    limit: 'chat_message',
    body: messagePost,
    data: chatMessageSchema,
    status: 201,
    owner: async ({ body }) => sessionKey(body.sessionId).subAccountId,
    idempotencyOwner: ({ body }) => body.sessionId,
    write: async ({ work, body: { sessionId, message } }) => ({
      data: await writeVisitorMessage(work, sessionKey(sessionId), message),
    }),
  }),

  definePublicEndpoint({
    id: 'chat.messages',
    method: 'GET',
    path: '/api/chat/messages',
    summary: 'List the messages of a chat, oldest first',
    description:
      'A hundred at most; where `hasMore` is true, ask again after the last one. After a message that is not of this chat there is none.',
    query: messagesQuery,
    data: Type.Array(chatMessageSchema),
    meta: Type.Object({ hasMore: Type.Boolean() }),
    owner: async ({ query }) => sessionKey(query.sessionId).subAccountId,
    async read({ view, query: { sessionId, after } }) {
      const known = { after, unknownIs: 'last' } as const;
      const { messages, hasMore } = await findChatMessages(view, sessionKey(sessionId), known);
      return { data: messages, meta: { hasMore } };
    },
  }),

  defineStreamEndpoint({
    id: 'chat.stream',
    path: '/api/chat/stream',
    summary: 'Follow a chat by server-sent events',
    description:
      'Each message once, oldest first, as the data of an event of type `message` whose id is its own; what comes later follows as it comes. It begins after `Last-Event-ID`, else after `after`, else with the first message. It is closed when the session or its sub-account ends, or the chat is disabled, and is 404 then.',
    query: messagesQuery,
    faults: ['RATE_LIMITED'],
    async owner({ view, query: { sessionId } }) {
      const key = sessionKey(sessionId);
      // A stream that has begun cannot answer 404.
      await requireFollowable(view, key);
      return key.subAccountId;
    },
    stream: ({
      view,
      tools: { notifications: wakes },
      query: { sessionId, after },
      lastEventId,
      signal,
    }) =>
      followChat(view, sessionKey(sessionId), {
        notifications: wakes,
        after: isId(lastEventId) ? lastEventId : after,
        signal,
      }),
  }),
];
