import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { defineStreamEndpoint } from '#core/endpoint/stream-endpoint.ts';
import { Type } from 'typebox';
import type { Tools } from '#core/tools.ts';
import type { View } from '#core/work.ts';
import { isIdInAnyCase } from '#lib/id.ts';
import { fileBody } from '#core/endpoint/file-body.ts';
import { fileLink } from '../files/file-links.ts';
import { storeUpload, uploadOf } from '../files/upload-file.ts';
import { assertMayUpload, insertVisitorFile, WAITING_MAX } from './insert-visitor-file.ts';
import {
  chatFileSchema,
  chatMessageSchema,
  filePost,
  configQuery,
  configSchema,
  messagePost,
  messagesQuery,
  noted,
  seenPost,
  sessionCreate,
  sessionSchema,
  typingPost,
} from './chat.schema.ts';
import { findChatMessages, type LinkOfFile } from './find-chat-messages.ts';
import { followChat } from './follow-chat.ts';
import { namedSubAccount } from '../accounts/sub-accounts/sub-account.store.ts';
import { readConfig } from './chat-settings.ts';
import { requireFollowable, sessionKey } from './chat-session.ts';
import { startSession } from './start-session.ts';
import { noteVisitorSeen, noteVisitorTyping } from './visitor-activity.ts';
import { writeVisitorMessage } from './write-visitor-message.ts';

/** Links are made when they are read: those of an open stream must not be as old as the stream. */
function linksOf({ secrets }: Tools, { subAccountId, now }: View): LinkOfFile {
  const opened = performance.now();
  return (id) => {
    const elapsedMs = performance.now() - opened;
    return fileLink(secrets, { subAccountId, id }, new Date(now.getTime() + elapsedMs));
  };
}

/** Called by the widget from any web site. Responses hold only what the visitor wrote or received. */
export const chatEndpoints = [
  definePublicEndpoint({
    id: 'chat.config',
    method: 'GET',
    path: '/api/chat/config',
    summary: 'Get the configuration of the chat widget',
    limit: 'public_read',
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
      'Each session is a conversation of its own. It belongs to the contact with the given email, which is not changed, or else to a new contact. The response reveals nothing about the contact. 404 if the chat is disabled. Fires `contact.created` if a contact was created.',
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
      'A request that is repeated with the same `Idempotency-Key` sends one message and gets the first response again. Fires `message.received`.',
    limit: 'chat_message',
    body: messagePost,
    data: chatMessageSchema,
    status: 201,
    owner: async ({ body }) => sessionKey(body.sessionId).subAccountId,
    idempotencyOwner: ({ body }) => body.sessionId,
    async write({ work, tools, body }) {
      const key = sessionKey(body.sessionId);
      return { data: await writeVisitorMessage(work, key, body, linksOf(tools, work)) };
    },
  }),

  definePublicEndpoint({
    id: 'chat.file',
    method: 'POST',
    path: '/api/chat/files',
    summary: 'Upload a file, to send it with a message of the chat',
    description: `The body is the content itself, of a type that \`POST /api/v1/files\` accepts. Send it with \`attachmentIds\` of a message; ${WAITING_MAX} files can wait for theirs. Fires no event.`,
    limit: 'chat_file',
    query: filePost,
    body: fileBody,
    data: chatFileSchema,
    status: 201,
    faults: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
    owner: async ({ query }) => sessionKey(query.sessionId).subAccountId,
    async prepare({ view, body, query: { sessionId, name }, tools: { files }, change }) {
      await requireFollowable(view, sessionKey(sessionId));
      await assertMayUpload(view, sessionKey(sessionId));
      const { subAccountId } = view;
      await storeUpload({ files, subAccountId, change, isOfVisitor: true }, body, name);
    },
    async write({ work, body, query: { sessionId }, tools }) {
      const file = uploadOf(body);
      await insertVisitorFile(work, sessionKey(sessionId), file);
      const { id, name, type, size } = file;
      return { data: { id, name, type, size, url: linksOf(tools, work)(id) } };
    },
  }),

  definePublicEndpoint({
    id: 'chat.typing',
    method: 'POST',
    path: '/api/chat/typing',
    summary: 'Show the team that the visitor types',
    description: 'Repeat it every 5 seconds while the visitor types. Fires no event.',
    limit: 'chat_activity',
    body: typingPost,
    data: noted,
    owner: async ({ body }) => sessionKey(body.sessionId).subAccountId,
    async write({ work, body: { sessionId, isTyping = true } }) {
      await noteVisitorTyping(work, sessionKey(sessionId), isTyping);
      return { data: { ok: true } };
    },
  }),

  definePublicEndpoint({
    id: 'chat.seen',
    method: 'POST',
    path: '/api/chat/seen',
    summary: 'Mark the messages of a chat as read, up to one',
    description:
      'The status of the messages becomes `read`. `message.delivered` fires for those that were not `delivered` before.',
    limit: 'chat_activity',
    body: seenPost,
    data: noted,
    owner: async ({ body }) => sessionKey(body.sessionId).subAccountId,
    async write({ work, body: { sessionId, messageId } }) {
      await noteVisitorSeen(work, sessionKey(sessionId), messageId);
      return { data: { ok: true } };
    },
  }),

  definePublicEndpoint({
    id: 'chat.messages',
    method: 'GET',
    path: '/api/chat/messages',
    summary: 'List the messages of a chat, oldest first',
    description:
      'Returns up to 100 messages. If `hasMore` is true, continue with the last id as `after`. If `after` is not a message of this chat, the list is empty.',
    limit: 'public_read',
    query: messagesQuery,
    data: Type.Array(chatMessageSchema),
    meta: Type.Object({ hasMore: Type.Boolean() }),
    owner: async ({ query }) => sessionKey(query.sessionId).subAccountId,
    async read({ view, tools, query: { sessionId, after } }) {
      const known = { after, unknownIs: 'last' } as const;
      const links = linksOf(tools, view);
      const { messages, hasMore } = await findChatMessages(
        view,
        sessionKey(sessionId),
        known,
        links,
      );
      return { data: messages, meta: { hasMore } };
    },
  }),

  defineStreamEndpoint({
    id: 'chat.stream',
    path: '/api/chat/stream',
    summary: 'Stream a chat as server-sent events',
    description:
      'Sends each message once, oldest first, then new messages as they arrive: events of type `message` with the id of the message. An event of type `typing` with `{isTyping, forMs}` says that the team types, or has stopped. The stream starts after `Last-Event-ID`, else after `after`, else with the first message. It closes when the session or its sub-account ends or the chat is disabled; new requests then return 404.',
    limit: 'public_read',
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
        after: isIdInAnyCase(lastEventId) ? lastEventId : after,
        signal,
        linkOf: linksOf(tools, view),
      }),
  }),
];
