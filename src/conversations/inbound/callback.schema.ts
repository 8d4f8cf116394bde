import type { Document } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

/** Holds a Message-ID (RFC 5322). Two bytes per character fit into an index entry of 2,704 bytes. */
const EXTERNAL_ID = { maxLength: 998, pattern: '^[\\u0000-\\u07ff]*$' };
const ADDRESS_MAX = 320;
const LINE_MAX = 998;
/** Inbound texts may be far longer than outbound ones. */
const TEXT_MAX = 1_000_000;
const HTML_MAX = 10_000_000;

const line = Type.Optional(Type.String({ maxLength: LINE_MAX }));

const externalId = s.shortText({
  ...EXTERNAL_ID,
  description: "the provider's own id of the message",
});

/** An inbound message (contract 5). */
export const inboundBody = s.request({
  externalId,
  from: s.shortText({ maxLength: ADDRESS_MAX, description: "the sender's address" }),
  to: Type.Optional(Type.String({ maxLength: ADDRESS_MAX })),
  bodyText: Type.String({ maxLength: TEXT_MAX }),
  bodyHtml: Type.Optional(Type.String({ maxLength: HTML_MAX })),
  subject: line,
  contactName: line,
  timestamp: Type.Optional(
    Type.Unsafe<string | number>({
      anyOf: [s.isoTime(), s.epochMs()],
      description: 'time of the message, ISO 8601 or epoch milliseconds; default: now',
    }),
  ),
});

/** Bridges send only the members of `inboundBody`; other providers add these. */
export interface InboundMessage extends Static<typeof inboundBody> {
  /** Message-IDs of the mails that it replies to. */
  readonly references?: readonly string[];
  /** The id of the message that it replies to, from the address it was sent to. */
  readonly threadToken?: string;
  /** The provider handled it as an opt-out or an opt-in. */
  readonly consent?: 'out' | 'in';
}

/** The status of an outbound message. */
export const receiptBody = s.request({
  externalId,
  status: s.oneOf(['sent', 'delivered', 'read', 'failed', 'bounced']),
  errorCode: line,
  errorMessage: line,
});
export type Receipt = Static<typeof receiptBody>;

/** The provider's id of an outbound message. */
export interface ProviderId {
  readonly messageId: string;
  readonly externalId: string;
  /** The number that it was sent from. */
  readonly fromAddress?: string;
}

/** All messages to an address up to a time were delivered or read. */
export interface ReadWatermark {
  readonly from: string;
  /** Epoch ms. */
  readonly at: number;
  readonly status: 'delivered' | 'read';
}

/** The content of one call of a provider. */
export interface WebhookContent {
  readonly inbound: readonly InboundMessage[];
  readonly receipts: readonly Receipt[];
  readonly names?: readonly ProviderId[];
  readonly marks?: readonly ReadWatermark[];
  /** The response to the provider, instead of the envelope. */
  readonly document?: Document;
}
