import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
const TRIGGERS = ['scheduled', 'manual'] as const;

/** The event that `POST …/test` sends. It is not in the list of events to subscribe to. */
export const TEST_EVENT = 'webhook.test';

/** An attempt, made or pending, as every endpoint shows it (contract 6). */
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
  createdAt: s.isoTime(),
  nextAttemptAt: s.nullable(s.isoTime()),
});
