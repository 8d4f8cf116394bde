// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Channel, CursorMeta, PageMeta } from './shared.ts';

export type ConversationStatus = 'open' | 'closed' | 'snoozed';

export type MessageStatus = 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'bounced';

export interface Conversation {
  id: string;
  contactId: string;
  channel: Channel;
  status: ConversationStatus;
  assignedTo: string | null;
  subject: string | null;
  unreadCount: number;
  isArchived: boolean;
  /** when the snoozed conversation opens; null: it opens when a message arrives */
  snoozedUntil: string | null;
  lastMessageAt: string | null;
  /**
   * live_chat: false if the visitor is identified only by what they typed into the widget; null
   * on other channels
   */
  visitorVerified: boolean | null;
  createdAt: string;
  contact: {
    name: string;
    email: string | null;
    phone: string | null;
  };
}

export interface OpenedConversation {
  id: string;
  contactId: string;
  channel: Channel;
  status: ConversationStatus;
  /** false if the conversation existed already */
  created: boolean;
}

export interface Message {
  id: string;
  conversationId: string;
  channel: Channel;
  direction: 'inbound' | 'outbound';
  /** of a mail */
  subject: string | null;
  bodyText: string | null;
  bodyHtml: string | null;
  status: MessageStatus;
  fromAddress: string | null;
  toAddress: string | null;
  isInternal: boolean;
  /** the provider's own id */
  externalId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: string;
  attachments: {
    id: string;
    name: string;
    /** the content type */
    type: string;
    /** bytes; null if it is not known */
    size: number | null;
    /**
     * the path of the content on this server; null while it is being fetched, and if the file was
     * refused
     */
    url: string | null;
    /** why there is no content, for people */
    refused: string | null;
  }[];
  /** the user of the console who wrote it; null for all others */
  authorId: string | null;
  /**
   * of a message written in the console: the name of the team member with the user's email
   * address, otherwise the user's name; of another outbound message: the name of the team
   * member that the conversation was assigned to
   */
  authorName: string | null;
}

export interface SkippedMessage {
  id: null;
  skipped: true;
  reason: 'dnd';
  conversationId: string;
  channel: Channel;
}

export interface ConversationsCreateBody {
  contactId: string;
  channel: Channel;
  subject?: string | null | undefined;
}

export interface ConversationsListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  status?: ConversationStatus | undefined;
  channel?: Channel | undefined;
  contactId?: string | undefined;
  assignedTo?: string | undefined;
}

export interface ConversationsMessagesQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface ConversationsSendBody {
  /** not blank, unless files are attached */
  bodyText: string;
  /** uploaded files to send with it */
  attachmentIds?: readonly string[] | undefined;
  /** the channel of the conversation */
  channel: Channel;
  /** default: the contact's address */
  toAddress?: string | null | undefined;
  subject?: string | null | undefined;
  /** email and gmail only */
  bodyHtml?: string | null | undefined;
  /** a note for the team: stored, not sent */
  isInternal?: boolean | undefined;
}

export interface ConversationsUpdateBody {
  status?: ConversationStatus | undefined;
  /** null unassigns */
  assignedTo?: string | null | undefined;
  /** hidden from the inbox until a message arrives */
  isArchived?: boolean | undefined;
  /**
   * epoch ms, or ISO 8601 with an offset; when the snoozed conversation opens; null: it opens
   * when a message arrives
   */
  snoozedUntil?: number | string | null | undefined;
}

export const conversations = (api: Api) => ({
  /**
   * Open a conversation with a contact on a channel.
   *
   * Returns 200 with `created: false` if the contact has an open conversation on the channel.
   * By sms a contact has one conversation: a closed or snoozed one is reopened. `subject` is
   * for email and gmail. Fires no event.
   *
   * Scope: `conversations:write`.
   */
  create: (body: ConversationsCreateBody, options?: CallOptions) =>
    api.data<OpenedConversation>('POST', path`/api/v1/conversations`, { body, options }),

  /**
   * List conversations, newest first.
   *
   * Scope: `conversations:read`.
   */
  list: (query: ConversationsListQuery = {}, options?: CallOptions) =>
    api.answer<Conversation[], PageMeta>('GET', path`/api/v1/conversations`, { query, options }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: ConversationsListQuery = {}, options?: CallOptions) =>
    iterateList<Conversation, PageMeta>(api, path`/api/v1/conversations`, query, options),

  /**
   * Get one conversation.
   *
   * Scope: `conversations:read`.
   */
  get: (id: string, options?: CallOptions) =>
    api.data<Conversation>('GET', path`/api/v1/conversations/${id}`, { options }),

  /**
   * List the messages of a conversation, newest first.
   *
   * Scope: `conversations:read`.
   */
  messages: (id: string, query: ConversationsMessagesQuery = {}, options?: CallOptions) =>
    api.answer<Message[], CursorMeta>('GET', path`/api/v1/conversations/${id}/messages`, {
      query,
      options,
    }),

  /** Iterates over all of `messages`, page by page. */
  iterateMessages: (id: string, query: ConversationsMessagesQuery = {}, options?: CallOptions) =>
    iterateList<Message, CursorMeta>(
      api,
      path`/api/v1/conversations/${id}/messages`,
      query,
      options,
    ),

  /**
   * Send a message to the contact, or leave a note.
   *
   * The message is `pending` until its provider accepts it. Merge fields are resolved when the
   * message is written. If the contact is suppressed, the response is 200 with `skipped: true`:
   * nothing is stored, and no event fires. Fires `message.sent`, `message.delivered` or
   * `message.failed` as the provider reports; a note fires nothing.
   *
   * Scope: `conversations:write`.
   */
  send: (id: string, body: ConversationsSendBody, options?: CallOptions) =>
    api.data<Message | SkippedMessage>('POST', path`/api/v1/conversations/${id}/messages`, {
      body,
      options,
    }),

  /**
   * Set the status or the assignee of a conversation, snooze or archive it.
   *
   * Closing marks all messages as read. A conversation cannot be reopened while another one of
   * its contact and channel is open. A snoozed conversation opens at `snoozedUntil`, or when a
   * message arrives; a message also takes it out of the archive. Fires no event.
   *
   * Scope: `conversations:write`.
   */
  update: (id: string, body: ConversationsUpdateBody, options?: CallOptions) =>
    api.data<Conversation>('PATCH', path`/api/v1/conversations/${id}`, { body, options }),
});
