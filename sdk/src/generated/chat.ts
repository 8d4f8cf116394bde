// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface ChatConfig {
  subAccountId: string;
  enabled: boolean;
  title: string;
  welcomeMessage: string | null;
  /** #rrggbb */
  color: string;
  position: 'left' | 'right';
  /** true within the business hours */
  online: boolean;
  /** windows by weekday, such as 09:00-17:00; null: always open */
  businessHours: {
    mon?: string[];
    tue?: string[];
    wed?: string[];
    thu?: string[];
    fri?: string[];
    sat?: string[];
    sun?: string[];
  } | null;
  timezone: string;
  requireEmail: boolean;
  legalText: string | null;
}

export interface ChatSession {
  /** a secret: it gives full access to this chat */
  sessionId: string;
  createdAt: string;
}

export interface ChatMessage {
  id: string;
  /** inbound: the visitor's own */
  direction: 'inbound' | 'outbound';
  bodyText: string;
  senderName: string;
  createdAt: string;
}

export interface ChatConfigQuery {
  subAccountId: string;
}

export interface ChatSessionBody {
  subAccountId: string;
  visitorName: string;
  /** required if the configuration has `requireEmail` */
  visitorEmail?: string | undefined;
}

export interface ChatMessageBody {
  /** the secret that `POST /api/chat/session` returned */
  sessionId: string;
  /** plain text */
  message: string;
}

export interface ChatMessagesQuery {
  /** the secret that `POST /api/chat/session` returned */
  sessionId: string;
  /** id of the last message that the client has */
  after?: string | undefined;
}

export interface ChatMessagesMeta {
  hasMore: boolean;
}

export const chat = (api: Api) => ({
  /** Get the configuration of the chat widget. */
  config: (query: ChatConfigQuery, options?: CallOptions) =>
    api.data<ChatConfig>('GET', path`/api/chat/config`, { query, options }),

  /**
   * Start a chat.
   *
   * Each session is a conversation of its own. It belongs to the contact with the given email,
   * which is not changed, or else to a new contact. The response reveals nothing about the
   * contact. 404 if the chat is disabled.
   */
  session: (body: ChatSessionBody, options?: CallOptions) =>
    api.data<ChatSession>('POST', path`/api/chat/session`, { body, options }),

  /**
   * Send a message to a chat.
   *
   * A request that is repeated with the same `Idempotency-Key` sends one message and gets the
   * first response again.
   */
  message: (body: ChatMessageBody, options?: CallOptions) =>
    api.data<ChatMessage>('POST', path`/api/chat/message`, { body, options, isRepeatable: true }),

  /**
   * List the messages of a chat, oldest first.
   *
   * Returns up to 100 messages. If `hasMore` is true, continue with the last id as `after`. If
   * `after` is not a message of this chat, the list is empty.
   */
  messages: (query: ChatMessagesQuery, options?: CallOptions) =>
    api.answer<ChatMessage[], ChatMessagesMeta>('GET', path`/api/chat/messages`, {
      query,
      options,
    }),
});
