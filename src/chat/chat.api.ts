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
    summary: 'Get the configuration of the chat widget',
    query: configQuery,
    data: configSchema,
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    read: async ({ view }) => ({ data: await readConfig(view) }),
  }),

  definePublicEndpoint({
    id: 'chat.session',
    method: 'POST',
    path: '/api/chat/session',
    summary: 'Start a chat',
    description:
      'Each session is a conversation of its own. It belongs to the contact with the given email, which is not changed, or else to a new contact. The response reveals nothing about the contact. 404 if the chat is disabled.',
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
    summary: 'Send a message to a chat',
    description:
      'A request that is repeated with the same `Idempotency-Key` sends one message and gets the first response again.',
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
      'Returns up to 100 messages. If `hasMore` is true, continue with the last id as `after`. If `after` is not a message of this chat, the list is empty.',
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
    summary: 'Stream a chat as server-sent events',
    description:
      'Sends each message once, oldest first, then new messages as they arrive: events of type `message` with the id of the message. The stream starts after `Last-Event-ID`, else after `after`, else with the first message. It closes when the session or its sub-account ends or the chat is disabled; new requests then return 404.',
    query: messagesQuery,
    faults: ['RATE_LIMITED'],
    async owner({ view, query: { sessionId } }) {
      const key = sessionKey(sessionId);
      // A stream that has begun cannot answer 404.
      await requireFollowable(view, key);
      return key.subAccountId;
    },
    stream: ({ view, tools, query: { sessionId, after }, lastEventId, signal }) =>
      followChat(view, sessionKey(sessionId), {
        notifications: tools.notifications,
        after: isId(lastEventId) ? lastEventId : after,
        signal,
      }),
  }),
];
