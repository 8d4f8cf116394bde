// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface ChatConfig {
  subAccountId: string;
  enabled: boolean;
  /** the name of the business */
  brand: string;
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
  /**
   * if this and `requireEmail` are false, visitors type no name: a chat begins with the first
   * message
   */
  requireName: boolean;
  requireEmail: boolean;
  legalText: string | null;
  /**
   * the widget's texts in languages of the manifest, by language tag; `{0}` stands for a text's
   * first value
   */
  languages: Record<string, Record<string, string | Record<string, string>>>;
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
  /**
   * of an inbound message: the name that the visitor gave; of a reply: the `authorName` of the
   * message, otherwise the brand, otherwise the name of the sub-account
   */
  senderName: string;
  /** the path on this server of the picture of the user who answers, if they have one */
  senderPictureUrl: string | null;
  createdAt: string;
  attachments: {
    id: string;
    name: string;
    /** the content type */
    type: string;
    /** bytes */
    size: number;
    /** the path of the content on this server, signed and valid for a day */
    url: string;
  }[];
}

export interface ChatConfigQuery {
  subAccountId: string;
}

export interface ChatSessionBody {
  subAccountId: string;
  visitorName: string;
  /** required if the configuration has `requireEmail` */
  visitorEmail?: string | null | undefined;
}

export interface ChatMessageBody {
  /** the secret that `POST /api/chat/session` returned */
  sessionId: string;
  /** plain text; not blank, unless files are attached */
  message: string;
  /** uploaded files to send with it */
  attachmentIds?: readonly string[] | undefined;
}

export interface ChatTypingBody {
  /** the secret that `POST /api/chat/session` returned */
  sessionId: string;
  /** false: the visitor stopped */
  isTyping?: boolean | undefined;
}

export interface ChatTypingData {
  ok: true;
}

export interface ChatSeenBody {
  /** the secret that `POST /api/chat/session` returned */
  sessionId: string;
  /** the last message that the visitor has seen */
  messageId: string;
}

export interface ChatSeenData {
  ok: true;
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
   * contact. 404 if the chat is disabled. Fires `contact.created` if a contact was created.
   */
  session: (body: ChatSessionBody, options?: CallOptions) =>
    api.data<ChatSession>('POST', path`/api/chat/session`, { body, options }),

  /**
   * Send a message to a chat.
   *
   * A request that is repeated with the same `Idempotency-Key` sends one message and gets the
   * first response again. Fires `message.received`.
   */
  message: (body: ChatMessageBody, options?: CallOptions) =>
    api.data<ChatMessage>('POST', path`/api/chat/message`, { body, options, isRepeatable: true }),

  /**
   * Show the team that the visitor types.
   *
   * Repeat it every 5 seconds while the visitor types. Fires no event.
   */
  typing: (body: ChatTypingBody, options?: CallOptions) =>
    api.data<ChatTypingData>('POST', path`/api/chat/typing`, { body, options }),

  /**
   * Mark the messages of a chat as read, up to one.
   *
   * The status of the messages becomes `read`. `message.delivered` fires for those that were
   * not `delivered` before.
   */
  seen: (body: ChatSeenBody, options?: CallOptions) =>
    api.data<ChatSeenData>('POST', path`/api/chat/seen`, { body, options }),

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
