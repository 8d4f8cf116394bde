import { Type, type Static } from 'typebox';
import * as s from '#kit/schema.ts';

/** RFC 5322: a Message-ID is one too. In two bytes a letter, for an entry of an index holds 2,704. */
const EXTERNAL_ID = { maxLength: 998, pattern: '^[\\u0000-\\u07ff]*$' };
const ADDRESS_MAX = 320;
const LINE_MAX = 998;
/** What people write and programs forward: far more than we send ourselves. */
const TEXT_MAX = 1_000_000;
const HTML_MAX = 10_000_000;

const line = Type.Optional(Type.String({ maxLength: LINE_MAX }));

const externalId = s.shortText({
  ...EXTERNAL_ID,
  description: "the provider's own id of the message",
});

/** A message that came in (contract 5). */
export const inboundBody = s.strict({
  externalId,
  from: s.shortText({ maxLength: ADDRESS_MAX, description: 'whose message it is' }),
  to: Type.Optional(Type.String({ maxLength: ADDRESS_MAX })),
  bodyText: Type.String({ maxLength: TEXT_MAX }),
  bodyHtml: Type.Optional(Type.String({ maxLength: HTML_MAX })),
  subject: line,
  contactName: line,
  timestamp: Type.Optional(
    Type.Unsafe<string | number>({
      anyOf: [s.isoTime(), s.epochMs()],
      description: "the message's time, ISO 8601 or epoch ms; without one it is now",
    }),
  ),
});
export type InboundMessage = Static<typeof inboundBody>;

/** What became of a message that went out. */
export const receiptBody = s.strict({
  externalId,
  status: s.oneOf(['sent', 'delivered', 'read', 'failed', 'bounced']),
  errorCode: line,
  errorMessage: line,
});
export type Receipt = Static<typeof receiptBody>;
