import type { Static } from 'typebox';
import type { Document } from '#core/endpoint/reply.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';

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
export const inboundBody = s.request({
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

/** With what no bridge says, but other providers do. */
export interface InboundMessage extends Static<typeof inboundBody> {
  /** Message-IDs of the mails that it answers. */
  readonly references?: readonly string[];
  /** Names the thread that it answers, where its address says so. */
  readonly threadToken?: string;
  /** The provider took it for a wish to get no more messages, or to get them again. */
  readonly consent?: 'out' | 'in';
}

/** What became of a message that went out. */
export const receiptBody = s.request({
  externalId,
  status: s.oneOf(['sent', 'delivered', 'read', 'failed', 'bounced']),
  errorCode: line,
  errorMessage: line,
});
export type Receipt = Static<typeof receiptBody>;

/** What a provider calls a message of ours. */
export interface GivenName {
  readonly messageId: string;
  readonly externalId: string;
  /** The number that it was sent from. */
  readonly fromAddress?: string;
}

/** How far all that went to somebody has come. */
export interface ReadWatermark {
  readonly from: string;
  /** Epoch ms. */
  readonly at: number;
  readonly status: 'delivered' | 'read';
}

/** All that one call of a provider tells. */
export interface WebhookContent {
  readonly inbound: readonly InboundMessage[];
  readonly receipts: readonly Receipt[];
  readonly names?: readonly GivenName[];
  readonly marks?: readonly ReadWatermark[];
  /** What the provider reads as the answer, in place of the envelope. */
  readonly document?: Document;
}
