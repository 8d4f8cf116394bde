import { defineKeyedEndpoint, scope, type KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { deliverySchema } from './delivery.schema.ts';
import { deliveryQuery, findDeliveries } from './find-deliveries.ts';
import { ofSubscription } from '../subscriptions/subscription.store.ts';
import { readDelivery } from './delivery.store.ts';
import { retryDelivery } from './retry-delivery.ts';
import { sendTest } from './send-test.ts';

/** The attempts of a subscription, completed and pending. */
export const deliveryEndpoints = (eventNames: readonly string[]): readonly KeyedEndpoint[] => [
  defineKeyedEndpoint({
    id: 'webhooks.test',
    method: 'POST',
    path: '/api/v1/webhooks/:id/test',
    summary: 'Send a test event to a subscription',
    description:
      'Sends a `webhook.test` event without data to this subscription only, even while it is disabled. The event is not in the list of events.',
    access: scope('webhooks:manage'),
    rate: 'write',
    ...ofSubscription,
    data: deliverySchema,
    async write({ work, params: { id } }) {
      const written = await sendTest(work, id);
      return { data: async () => written() };
    },
  }),

  defineKeyedEndpoint({
    id: 'webhooks.deliveries',
    method: 'GET',
    path: '/api/v1/webhooks/:id/deliveries',
    summary: 'List the attempts of the last 30 days, newest first',
    description:
      'Each row is one attempt. A `pending` attempt is made at `nextAttemptAt`; the others are completed.',
    access: scope('webhooks:manage'),
    rate: 'read',
    paged: true,
    ...ofSubscription,
    query: deliveryQuery(eventNames),
    data: Type.Array(deliverySchema),
    read: ({ view, params: { id }, query, after }) => findDeliveries(view, id, query, after),
  }),

  defineKeyedEndpoint({
    id: 'webhooks.retry',
    method: 'POST',
    path: '/api/v1/webhooks/:id/deliveries/:deliveryId/retry',
    summary: 'Send the event of an attempt again',
    description:
      'Sends the same event id and body at once, even while the subscription is disabled. Fires no new event.',
    access: scope('webhooks:manage'),
    rate: 'write',
    params: s.request({ id: s.uuid(), deliveryId: s.uuid() }),
    assertExists: (view, { id: subscriptionId, deliveryId }) =>
      readDelivery(view, { subscriptionId, deliveryId }),
    data: deliverySchema,
    async write({ work, params: { id: subscriptionId, deliveryId } }) {
      const written = await retryDelivery(work, { subscriptionId, deliveryId });
      return { data: async () => written() };
    },
  }),
];
