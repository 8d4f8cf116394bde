import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { CHANNELS, type Channel } from '../../contacts/channels.ts';

export const CONVERSATION_STATUSES = ['open', 'closed', 'snoozed'] as const;

/** The longest line of a mail (RFC 5322). */
const SUBJECT_MAX = 998;

/** Channels whose messages are mails: only mails have a subject and HTML. */
const MAIL_CHANNELS: ReadonlySet<Channel> = new Set(['email', 'gmail']);
export const isMail = (channel: Channel): boolean => MAIL_CHANNELS.has(channel);

export const channel = s.oneOf(CHANNELS);
export const subject = s.shortText({ maxLength: SUBJECT_MAX });

const status = s.oneOf(CONVERSATION_STATUSES);

export const conversationCreate = s.request({
  contactId: s.uuid(),
  channel,
  subject: Type.Optional(s.nullable(subject)),
});
export type ConversationCreate = Static<typeof conversationCreate>;

export const conversationPatch = s.request(
  s.partial({
    status,
    assignedTo: s.nullable(s.uuid({ description: 'null unassigns' })),
    isArchived: Type.Boolean({ description: 'hidden from the inbox until a message arrives' }),
    snoozedUntil: s.nullable(
      s.instant({
        description: 'when the snoozed conversation opens; null: it opens when a message arrives',
      }),
    ),
  }),
);
export type ConversationPatch = Static<typeof conversationPatch>;

/** The response to opening a conversation (spec "Conversations"). */
export const openedSchema = s.response({
  id: s.uuid(),
  contactId: s.uuid(),
  channel,
  status,
  created: Type.Boolean({ description: 'false if the conversation existed already' }),
});

/** The conversation as every other endpoint shows it (spec "Conversation"). */
export const conversationSchema = s.response({
  id: s.uuid(),
  contactId: s.uuid(),
  channel,
  status,
  assignedTo: s.nullable(s.uuid()),
  subject: s.nullable(Type.String()),
  unreadCount: Type.Integer(),
  isArchived: Type.Boolean(),
  snoozedUntil: s.nullable(
    s.isoTime({
      description: 'when the snoozed conversation opens; null: it opens when a message arrives',
    }),
  ),
  lastMessageAt: s.nullable(s.isoTime()),
  visitorVerified: s.nullable(
    Type.Boolean({
      description:
        'live_chat: false if the visitor is identified only by what they typed into the widget; null on other channels',
    }),
  ),
  createdAt: s.isoTime(),
  contact: s.response({
    name: Type.String(),
    email: s.nullable(Type.String()),
    phone: s.nullable(Type.String()),
  }),
});
