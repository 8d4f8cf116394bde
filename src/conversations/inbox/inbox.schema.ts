import { Type, type Static } from 'typebox';
import { pageQuery } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import {
  channel,
  CONVERSATION_STATUSES,
  conversationSchema,
} from '../threads/conversation.schema.ts';

const SEARCH_MAX = 100;
const DRAFT_MAX = 100_000;
const SUBJECT_MAX = 998;

const VIEWS = ['mine', 'unassigned', 'all'] as const;

/** The query of the keyed list, and what the console adds. */
export const inboxQuery = s.request({
  ...pageQuery,
  status: Type.Optional(s.oneOf(CONVERSATION_STATUSES)),
  channel: Type.Optional(channel),
  contactId: Type.Optional(s.uuid()),
  assignedTo: Type.Optional(s.uuid()),
  view: Type.Optional(
    s.oneOf(VIEWS, {
      description:
        'mine: assigned to the team member of the user; unassigned; all. A view leaves out archived conversations unless `archived` is true.',
    }),
  ),
  archived: Type.Optional(Type.Boolean({ description: 'only archived ones, or only others' })),
  unread: Type.Optional(Type.Boolean({ description: 'only unread ones, or only read ones' })),
  q: Type.Optional(
    Type.String({
      format: 'search',
      minLength: 2,
      maxLength: SEARCH_MAX,
      description: "part of the contact's name, email address or company",
    }),
  ),
  phone: Type.Optional(s.phone({ description: "the contact's phone, or an additional one" })),
  order: Type.Optional(
    s.oneOf(['created', 'activity'], {
      default: 'created',
      description: 'activity: the latest message first',
    }),
  ),
});
export type InboxQuery = Static<typeof inboxQuery>;

/** A conversation in the inbox. */
export const inboxRowSchema = s.response({
  ...conversationSchema.properties,
  lastMessage: s.nullable(
    s.response({
      bodyText: s.nullable(Type.String({ description: 'the first 500 characters' })),
      direction: s.oneOf(['inbound', 'outbound']),
      authorId: s.nullable(s.uuid({ description: 'the user of the console who wrote it' })),
      isAutomatic: Type.Boolean({ description: 'a confirmation, a reminder or an offer' }),
      createdAt: s.isoTime(),
    }),
  ),
});

const count = Type.Integer();

/** Numbers of open conversations that are not archived. */
export const inboxCountsSchema = s.response({
  mine: s.response({ open: count, unread: count }),
  unassigned: s.response({ open: count, unread: count }),
  all: s.response({ open: count, unread: count }),
});

export const snoozeBody = s.request({
  until: s.instant({ description: 'when the conversation opens, in the future' }),
});

export const replySchema = s.response({
  id: s.uuid(),
  key: Type.String(),
  name: Type.String(),
  body: Type.String({ description: 'with merge fields, which are resolved when it is sent' }),
});

export const draftBody = s.request({
  bodyText: Type.String({ maxLength: DRAFT_MAX }),
  subject: Type.Optional(s.nullable(Type.String({ maxLength: SUBJECT_MAX }))),
  isInternal: Type.Optional(Type.Boolean({ description: 'the text is a note for the team' })),
});
export type DraftBody = Static<typeof draftBody>;

export const draftSchema = s.response({
  bodyText: Type.String(),
  subject: s.nullable(Type.String()),
  isInternal: Type.Boolean(),
  updatedAt: s.nullable(s.isoTime({ description: 'null: there is no draft' })),
  replySubject: s.nullable(
    Type.String({
      description: 'the subject of the latest mail after "Re: "; null: there is none',
    }),
  ),
});
