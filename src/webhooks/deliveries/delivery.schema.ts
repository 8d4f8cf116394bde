import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
const TRIGGERS = ['scheduled', 'manual'] as const;

/** The event that `POST …/test` sends. Subscriptions cannot select it. */
export const TEST_EVENT = 'webhook.test';

/** An attempt as every endpoint returns it (contract 6). */
export const deliverySchema = s.response({
  id: s.uuid(),
  eventId: s.uuid(),
  event: Type.String(),
  attempt: Type.Integer({ minimum: 1 }),
  trigger: s.oneOf(TRIGGERS),
  status: s.oneOf(DELIVERY_STATUSES),
  responseStatus: s.nullable(Type.Integer()),
  responseBody: s.nullable(Type.String()),
  durationMs: s.nullable(Type.Integer()),
  error: s.nullable(Type.String()),
  createdAt: s.isoTime({
    description:
      'when the attempt was scheduled; a retry is scheduled when the previous attempt is made',
  }),
  sentAt: s.nullable(
    s.isoTime({
      description:
        'when the attempt was made, as in `X-Webhook-Timestamp`; null while it is pending, and for attempts made by releases that did not store it',
    }),
  ),
  nextAttemptAt: s.nullable(
    s.isoTime({
      description:
        'when a `pending` attempt is due; for a failed one, when its retry was due, or null if none was planned',
    }),
  ),
});
