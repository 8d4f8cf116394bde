import { Type, type TSchema } from 'typebox';
import * as s from '#core/schema/schema.ts';

interface DeliveryHeader {
  readonly description: string;
  readonly required: boolean;
  readonly schema: TSchema;
}

const always = (description: string, schema: TSchema): DeliveryHeader => ({
  description,
  required: true,
  schema,
});

/** Of Standard Webhooks. A subscription's secret always has the form that they need. */
const standard = (description: string, schema: TSchema): DeliveryHeader =>
  always(`${description} (Standard Webhooks)`, schema);

const STANDARD = 'v1,[A-Za-z0-9+/]{43}=';

const EPOCH = Type.String({ pattern: '^[0-9]+$' });
const SIGNATURE = Type.String({ pattern: '^sha256=[0-9a-f]{64}$' });

/** The headers of a delivery, for the OpenAPI document. */
export const DELIVERY_HEADERS: Readonly<Record<string, DeliveryHeader>> = {
  'X-Webhook-Event': always('the name of the event', Type.String()),
  'X-Webhook-Event-Id': always(
    'the id of the event, the same in every repeat; not signed, so use `webhook-id`',
    s.uuid(),
  ),
  'X-Webhook-Delivery': always('the id of this attempt in the delivery log', s.uuid()),
  'X-Webhook-Timestamp': always('when this attempt was sent, in epoch milliseconds', EPOCH),
  'X-Webhook-Signature-V2': always(
    'HMAC-SHA256 of `<timestamp>.<raw body>` with the secret, in hex; it does not cover the id of the event',
    SIGNATURE,
  ),
  'webhook-id': standard('the id of the event, as in `X-Webhook-Event-Id`', s.uuid()),
  'webhook-timestamp': standard('when this attempt was sent, in epoch seconds', EPOCH),
  'webhook-signature': standard(
    'HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, in base64: verify this one; during a rotation one of each secret, the new one first',
    Type.String({ pattern: `^${STANDARD}(?: ${STANDARD})?$` }),
  ),
  'X-Webhook-Signature': always(
    'HMAC-SHA256 of the raw body alone; a recorded delivery can be replayed',
    SIGNATURE,
  ),
  'X-Webhook-Signature-Previous': {
    description: 'the signature of the raw body with the previous secret, during its grace period',
    required: false,
    schema: SIGNATURE,
  },
};
