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
  /** somebody is there, by the business hours */
  online: boolean;
  /** windows such as 09:00-17:00 by weekday; null: always */
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
  /** a secret: whoever has it reads and writes this chat */
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
  /** required where the configuration says so */
  visitorEmail?: string | undefined;
}

export interface ChatMessageBody {
  /** the secret that beginning the session answered */
  sessionId: string;
  /** plain text */
  message: string;
}

export interface ChatMessagesQuery {
  /** the secret that beginning the session answered */
  sessionId: string;
  /** the last message that is known already */
  after?: string | undefined;
}

export interface ChatMessagesMeta {
  hasMore: boolean;
}

export const chat = (api: Api) => ({
  /** Get what a chat widget shows. */
  config: (query: ChatConfigQuery, options?: CallOptions) =>
    api.data<ChatConfig>('GET', path`/api/chat/config`, { query, options }),

  /**
   * Begin a chat.
   *
   * Each session is a conversation of its own. Its contact is whoever has the email, who is not
   * changed, else a new one; the visitor is told nothing of him. 404 where the chat is
   * disabled.
   */
  session: (body: ChatSessionBody, options?: CallOptions) =>
    api.data<ChatSession>('POST', path`/api/chat/session`, { body, options }),

  /**
   * Say something in a chat.
   *
   * Sent again with the same `Idempotency-Key`, it is said once and answered as it was the
   * first time.
   */
  message: (body: ChatMessageBody, options?: CallOptions) =>
    api.data<ChatMessage>('POST', path`/api/chat/message`, { body, options, isRepeatable: true }),

  /**
   * List the messages of a chat, oldest first.
   *
   * A hundred at most; where `hasMore` is true, ask again after the last one. After a message
   * that is not of this chat there is none.
   */
  messages: (query: ChatMessagesQuery, options?: CallOptions) =>
    api.answer<ChatMessage[], ChatMessagesMeta>('GET', path`/api/chat/messages`, {
      query,
      options,
    }),
});
