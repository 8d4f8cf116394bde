import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import { invalidField, orNotFound } from '#core/fault.ts';
import { jsonText } from '#core/schema/json.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { allDeliveriesQuery, findAllDeliveries } from '../webhooks/deliveries/find-deliveries.ts';
import {
  listDelivery,
  listedDeliverySchema,
  type ListedDelivery,
} from '../webhooks/deliveries/list-all-deliveries.ts';
import { countReplay, replayDeliveries } from '../webhooks/deliveries/replay-deliveries.ts';
import { readSentRequest } from '../webhooks/deliveries/sent-request.ts';
import { retryDelivery } from '../webhooks/deliveries/retry-delivery.ts';
import { ofSubscription } from '../webhooks/subscriptions/subscription.store.ts';

async function readAttempt(view: View, id: string): Promise<ListedDelivery> {
  return orNotFound(await listDelivery(view, id), 'delivery');
}

const access = memberScope('webhooks:manage');

const headers = Type.Record(Type.String(), Type.String());
const sentSchema = {
  request: s.nullable(
    s.response({
      url: Type.String(),
      headers,
      body: s.nullable(Type.String({ description: 'null if the event was deleted after 30 days' })),
    }),
  ),
  response: s.nullable(
    s.response({
      status: Type.Integer(),
      headers: s.nullable(headers),
      body: Type.String({ description: 'at most 4,000 bytes' }),
    }),
  ),
};

const ONLY =
  '`failed`: only events of which an attempt failed and none succeeded; `all` by default';

/** Which events a replay sends. */
const selection = (eventNames: readonly string[]) => ({
  since: s.instant({ description: 'in the past', examples: ['2026-01-01T09:00:00Z'] }),
  until: Type.Optional(
    s.instant({ description: 'only events before this time', examples: ['2026-01-01T12:00:00Z'] }),
  ),
  event: Type.Optional(s.oneOf(eventNames, { description: 'only events of this name' })),
});

interface Selection {
  readonly since: number;
  readonly until?: number;
  readonly event?: string;
}

const selected = (subscriptionId: string, { since, until, event }: Selection) => ({
  subscriptionId,
  since: new Date(since),
  ...(until !== undefined && { until: new Date(until) }),
  event,
});

const countingReplay = (eventNames: readonly string[]) =>
  defineConsoleEndpoint({
    id: 'webhooks.replay-count',
    method: 'GET',
    path: '/console/api/v1/webhooks/:id/replay',
    summary: 'Count the events that a replay would send to a subscription now',
    access,
    rate: 'read',
    ...ofSubscription,
    query: s.request(selection(eventNames)),
    data: s.response({
      all: Type.Integer({ minimum: 0 }),
      failed: Type.Integer({
        minimum: 0,
        description: 'of these, events of which an attempt failed and none succeeded',
      }),
    }),
    async read({ view, params: { id }, query }) {
      const replay = selected(id, query);
      const [all, failed] = await Promise.all([
        countReplay(view, replay),
        countReplay(view, { ...replay, only: 'failed' }),
      ]);
      return { data: { all, failed } };
    },
  });

const replaying = (eventNames: readonly string[]) =>
  defineConsoleEndpoint({
    id: 'webhooks.replay',
    method: 'POST',
    path: '/console/api/v1/webhooks/:id/replay',
    summary: 'Send all events since a point in time to a subscription again',
    description:
      'In order, even while the subscription is disabled. Events that are about to be sent anyway are left out.',
    access,
    rate: 'write',
    ...ofSubscription,
    body: s.request({
      ...selection(eventNames),
      only: Type.Optional(s.oneOf(['all', 'failed'], { description: ONLY })),
    }),
    data: s.response({
      subscriptionId: s.uuid(),
      since: s.isoTime(),
      replayed: Type.Integer({ minimum: 0, description: 'the number of events' }),
    }),
    async write({ work, params: { id: subscriptionId }, body }) {
      const chosen = selected(subscriptionId, body);
      const { since } = chosen;
      if (since > work.now) {
        throw invalidField('/since', `must be in the past, but is ${since.toISOString()}`);
      }
      const replayed = await replayDeliveries(work, { ...chosen, only: body.only });
      return { data: { subscriptionId, since: since.toISOString(), replayed } };
    },
  });

/** The deliveries of all webhook subscriptions. */
export const deliveryEndpoints = (eventNames: readonly string[]) => [
  defineConsoleEndpoint({
    id: 'deliveries.list',
    method: 'GET',
    path: '/console/api/v1/deliveries',
    summary: 'List the attempts of all webhook subscriptions, newest first',
    description: 'The attempts of the last 30 days. `since` is the earliest time of an attempt.',
    access,
    rate: 'read',
    paged: true,
    query: allDeliveriesQuery(eventNames),
    data: Type.Array(listedDeliverySchema),
    read: ({ view, query, after }) => findAllDeliveries(view, query, after),
  }),
  defineConsoleEndpoint({
    id: 'deliveries.get',
    method: 'GET',
    path: '/console/api/v1/deliveries/:id',
    summary: 'Get an attempt with its request and response',
    description:
      'The request is as it was sent, with its signatures masked; null while the attempt is pending. Attempts from before this release show the URL of the subscription today.',
    access,
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => readAttempt(view, id),
    data: s.response({ ...listedDeliverySchema.properties, ...sentSchema }),
    async read({ view, params: { id } }) {
      const attempt = await readAttempt(view, id);
      return { data: { ...attempt, ...(await readSentRequest(view, id)) } };
    },
  }),
  defineConsoleEndpoint({
    id: 'deliveries.retry',
    method: 'POST',
    path: '/console/api/v1/deliveries/:id/retry',
    summary: 'Send the event of an attempt again',
    description: 'Queues a further attempt at once, even while the subscription is disabled.',
    access,
    rate: 'write',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => readAttempt(view, id),
    bodyOptional: true,
    data: listedDeliverySchema,
    async write({ work, params: { id } }) {
      const { subscriptionId, subAccountId } = await readAttempt(work, id);
      const written = await retryDelivery(work, { subscriptionId, deliveryId: id });
      return {
        data: async () =>
          ({ ...JSON.parse(jsonText(written())), subscriptionId, subAccountId }) as never,
      };
    },
  }),
  countingReplay(eventNames),
  replaying(eventNames),
];
