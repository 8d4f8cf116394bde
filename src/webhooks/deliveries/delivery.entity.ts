import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { SentRecord } from './sent-request.ts';
import type { DELIVERY_STATUSES } from './delivery.schema.ts';

export const DeliveryTable = defineEntity({
  name: 'Delivery',
  tableName: 'webhook_deliveries',
  properties: {
    ...recordKey(),
    /** No foreign keys: thousands of attempts are written per second, see `record-attempts.ts`. */
    subscriptionId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    attempt: p.integer(),
    trigger: p.text().$type<'scheduled' | 'manual'>(),
    status: p.text().$type<(typeof DELIVERY_STATUSES)[number]>(),
    responseStatus: p.integer().nullable(),
    responseBody: p.text().nullable(),
    durationMs: p.integer().nullable(),
    error: p.text().nullable(),
    createdAt: p.datetime(),
    nextAttemptAt: p.datetime().nullable(),
    /** Null in attempts of earlier releases, and in pending ones. */
    sent: p.json<SentRecord>().nullable().lazy(),
  },
});

/** An attempt to deliver an event, completed or pending. */
export class Delivery extends DeliveryTable.class {}
DeliveryTable.setClass(Delivery);
