import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { attachmentIds, fileName } from '../files/file.schema.ts';
import { WEEKDAYS } from './business-hours.ts';

const ID_MAX = 100;
const NAME_MAX = 200;
const MESSAGE_MAX = 5_000;

const text = s.nullable(Type.String());

/** Not `uuid`: a malformed id is unknown, not invalid (contract 5). */
const subAccountId = Type.String({ minLength: 1, maxLength: ID_MAX });
const sessionId = Type.String({
  minLength: 1,
  maxLength: ID_MAX,
  description: 'the secret that `POST /api/chat/session` returned',
});

export const configQuery = s.request({ subAccountId });

export const sessionCreate = s.request({
  subAccountId,
  visitorName: s.shortText({ maxLength: NAME_MAX }),
  visitorEmail: Type.Optional(
    s.nullable(s.email({ description: 'required if the configuration has `requireEmail`' })),
  ),
});
export type SessionCreate = Static<typeof sessionCreate>;

export const messagePost = s.request({
  sessionId,
  message: Type.String({
    maxLength: MESSAGE_MAX,
    description: 'plain text; not blank, unless files are attached',
    examples: ['Hello, do you have time on Tuesday?'],
  }),
  attachmentIds,
});

/** The query of an upload: the body is the file. */
export const filePost = s.request({ sessionId, name: fileName });

export const messagesQuery = s.request({
  sessionId,
  after: Type.Optional(s.uuid({ description: 'id of the last message that the client has' })),
});

export const typingPost = s.request({
  sessionId,
  isTyping: Type.Optional(
    Type.Boolean({ description: 'false: the visitor stopped', default: true }),
  ),
});

export const seenPost = s.request({
  sessionId,
  messageId: s.uuid({ description: 'the last message that the visitor has seen' }),
});

export const noted = s.response({ ok: Type.Literal(true) });

export const configSchema = s.response({
  subAccountId: s.uuid(),
  enabled: Type.Boolean(),
  brand: Type.String({ description: 'the name of the business' }),
  title: Type.String(),
  welcomeMessage: text,
  color: Type.String({ description: '#rrggbb' }),
  position: s.oneOf(['left', 'right']),
  online: Type.Boolean({ description: 'true within the business hours' }),
  businessHours: s.nullable(
    Type.Object(
      Object.fromEntries(WEEKDAYS.map((day) => [day, Type.Optional(Type.Array(Type.String()))])),
      { description: 'windows by weekday, such as 09:00-17:00; null: always open' },
    ),
  ),
  timezone: Type.String(),
  requireName: Type.Boolean({
    description:
      'if this and `requireEmail` are false, visitors type no name: a chat begins with the first message',
  }),
  requireEmail: Type.Boolean(),
  legalText: text,
  languages: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
    ),
    {
      description:
        "the widget's texts in languages of the manifest, by language tag; `{0}` stands for a text's first value",
    },
  ),
});

export const sessionSchema = s.response({
  sessionId: Type.String({ description: 'a secret: it gives full access to this chat' }),
  createdAt: s.isoTime(),
});

/** A file as the visitor sees it. */
export const chatFileSchema = Type.Object({
  id: s.uuid(),
  name: Type.String({ examples: ['x-ray.png'] }),
  type: Type.String({ description: 'the content type', examples: ['image/png'] }),
  size: Type.Integer({ description: 'bytes', examples: [48_213] }),
  url: Type.String({
    description: 'the path of the content on this server, signed and valid for a day',
  }),
});
export type ChatFile = Static<typeof chatFileSchema>;

/** A message as the visitor sees it (contract 5). */
export const chatMessageSchema = s.response({
  id: s.uuid(),
  direction: s.oneOf(['inbound', 'outbound'], { description: "inbound: the visitor's own" }),
  bodyText: Type.String(),
  senderName: Type.String({
    description:
      'of an inbound message: the name that the visitor gave; of a reply: the `authorName` of the message, otherwise the brand, otherwise the name of the sub-account',
  }),
  senderPictureUrl: s.nullable(
    Type.String({
      description:
        'the path on this server of the picture of the user who answers, if they have one',
    }),
  ),
  createdAt: s.isoTime(),
  attachments: Type.Array(chatFileSchema),
});
export type ChatMessage = Static<typeof chatMessageSchema>;
