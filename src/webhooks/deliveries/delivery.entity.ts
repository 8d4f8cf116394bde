import { defineEntity, p } from '@mikro-orm/core';
import type { DELIVERY_STATUSES } from './delivery.schema.ts';

export const DeliveryTable = defineEntity({
  name: 'Delivery',
  tableName: 'webhook_deliveries',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    subscriptionId: p.uuid(),
    /** No foreign key: thousands of attempts are written per second. Both are deleted at the same age. */
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
  },
});

/** An attempt to deliver an event, completed or pending. */
export class Delivery extends DeliveryTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, subscription_id) references webhook_subscriptions (sub_account_id, id) on delete cascade',
  ];
}
DeliveryTable.setClass(Delivery);
