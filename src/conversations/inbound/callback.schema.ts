import { pattern } from '#core/schema/describe-error.ts';
import type { Document } from '#core/endpoint/reply.ts';
import { Type, type Static, type TSchema } from 'typebox';
import { FILES_MAX } from '../../files/file.schema.ts';
import type { InboundFile } from './inbound-files.ts';
import { YEAR_ZERO_MS } from '#core/schema/instant.ts';
import * as s from '#core/schema/schema.ts';
import { check } from '#core/schema/check.ts';
import { withoutNulls, type WithoutNulls } from '#lib/without-nulls.ts';

/** Holds a Message-ID (RFC 5322). Two bytes per character fit into an index entry of 2,704 bytes. */
const EXTERNAL_ID = {
  maxLength: 998,
  ...pattern('^[\\u0000-\\u07ff]*$', 'must contain only characters up to U+07FF'),
};
const ADDRESS_MAX = 320;
const LINE_MAX = 998;
/** Inbound texts may be far longer than outbound ones. */
const TEXT_MAX = 1_000_000;
const HTML_MAX = 10_000_000;

/** A member that a bridge may leave out, or send as null. */
const optional = <S extends TSchema>(schema: S) => Type.Optional(s.nullable(schema));

type CallContent<S extends TSchema> = WithoutNulls<Static<S>>;

/** Returns the content of a call, in which null counts as left out. Throws VALIDATION_ERROR. */
export const checkContent = <S extends TSchema>(schema: S, content: unknown): CallContent<S> =>
  withoutNulls(check(schema, content, 'body') as object) as CallContent<S>;

const line = optional(Type.String({ maxLength: LINE_MAX }));

const externalId = s.shortText({
  ...EXTERNAL_ID,
  description: "the provider's own id of the message",
});

/** Base64 of the largest file that FRONTDESK_FILES_MAX_MB allows is longer: such files are sent by URL. */
const CONTENT_MAX = 14_000_000;
const URL_MAX = 2_000;

/** A file of a bridge: its content, or where it can be fetched. */
const attachment = Type.Object(
  {
    name: s.shortText(),
    type: optional(Type.String({ maxLength: 255, description: 'the content type' })),
    content: optional(Type.String({ maxLength: CONTENT_MAX, description: 'base64' })),
    url: optional(
      Type.String({
        maxLength: URL_MAX,
        format: 'uri',
        description: 'instead of `content`: where the file is fetched from, within hours',
      }),
    ),
  },
  { additionalProperties: false },
);
export type BridgeFile = Static<typeof attachment>;

/** An inbound message (contract 5). */
export const inboundBody = s.request({
  externalId,
  from: s.shortText({ maxLength: ADDRESS_MAX, description: "the sender's address" }),
  to: optional(Type.String({ maxLength: ADDRESS_MAX })),
  bodyText: Type.String({ maxLength: TEXT_MAX }),
  bodyHtml: optional(
    Type.String({
      maxLength: HTML_MAX,
      description: 'left out if it has more than 2,000,000 bytes in UTF-8',
    }),
  ),
  subject: line,
  attachments: optional(Type.Array(attachment, { maxItems: FILES_MAX })),
  contactName: line,
  timestamp: optional(
    // Bridges that know no time send the year 1 or 1970; the time is stored as 1970 then.
    s.instant({ minimum: YEAR_ZERO_MS, description: 'the time of the message; default: now' }),
  ),
});

/** Bridges send only the members of `inboundBody`; other providers add these. */
export interface InboundMessage extends Omit<CallContent<typeof inboundBody>, 'attachments'> {
  readonly attachments?: readonly InboundFile[];
  /** Message-IDs of the mails that it replies to. */
  readonly references?: readonly string[];
  /** The id of the message that it replies to, from the address it was sent to. */
  readonly threadToken?: string;
  /** The receiving server could not verify the sender of the mail. */
  readonly isUnproven?: boolean;
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
export type Receipt = CallContent<typeof receiptBody>;

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
