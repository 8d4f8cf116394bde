import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { attachmentIds, fileSchema } from '../../files/file.schema.ts';
import { CHANNELS } from '../../contacts/channels.ts';
import { channel, subject } from '../threads/conversation.schema.ts';

export const MESSAGE_STATUSES = [
  'pending',
  'sent',
  'delivered',
  'read',
  'failed',
  'bounced',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** The transitions of each status: forward only, and none from a failure (contract 5). */
const NEXT: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  pending: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read', 'failed', 'bounced'],
  delivered: ['read', 'bounced'],
  read: [],
  failed: [],
  bounced: [],
};

export const canBecome = (from: MessageStatus, to: MessageStatus): boolean =>
  NEXT[from].includes(to);

const TEXT_MAX = 100_000;
const HTML_MAX = 500_000;
const ADDRESS_MAX = 320;

export const messageCreate = s.request({
  bodyText: Type.String({
    maxLength: TEXT_MAX,
    description: 'not blank, unless files are attached',
    examples: ['Is Tuesday at 10 fine for you?'],
  }),
  attachmentIds,
  channel: s.oneOf(CHANNELS, { description: 'the channel of the conversation' }),
  toAddress: Type.Optional(
    s.nullable(
      s.shortText({ maxLength: ADDRESS_MAX, description: "default: the contact's address" }),
    ),
  ),
  subject: Type.Optional(s.nullable(subject)),
  bodyHtml: Type.Optional(
    s.nullable(
      Type.String({ minLength: 1, maxLength: HTML_MAX, description: 'email and gmail only' }),
    ),
  ),
  isInternal: Type.Optional(Type.Boolean({ description: 'a note for the team: stored, not sent' })),
});
export type MessageCreate = Static<typeof messageCreate>;

const text = s.nullable(Type.String());

/** The message as every endpoint shows it (spec "Message"; `subject`, `externalId` and errors are additive). */
export const messageSchema = s.response({
  id: s.uuid(),
  conversationId: s.uuid(),
  channel,
  direction: s.oneOf(['inbound', 'outbound']),
  subject: s.nullable(Type.String({ description: 'of a mail' })),
  bodyText: text,
  bodyHtml: text,
  status: s.oneOf(MESSAGE_STATUSES),
  fromAddress: text,
  toAddress: text,
  isInternal: Type.Boolean(),
  externalId: s.nullable(Type.String({ description: "the provider's own id" })),
  errorCode: text,
  errorMessage: text,
  createdAt: s.isoTime(),
  attachments: Type.Array(fileSchema),
  authorId: s.nullable(
    s.uuid({ description: 'the user of the console who wrote it; null for all others' }),
  ),
  authorName: s.nullable(
    Type.String({
      description:
        "of a message written in the console: the name of the team member with the user's email address, otherwise the user's name; of another outbound message: the name of the team member that the conversation was assigned to",
    }),
  ),
});

/** Returned instead of a message if its contact is suppressed. */
export const skippedSchema = s.response({
  id: Type.Null(),
  skipped: Type.Literal(true),
  reason: s.oneOf(['dnd']),
  conversationId: s.uuid(),
  channel,
});
