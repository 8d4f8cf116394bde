import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import { endPreviousSecret } from '../webhooks/subscriptions/end-previous-secret.ts';
import {
  findSubscriptions,
  subscriptionQuery,
} from '../webhooks/subscriptions/find-subscriptions.ts';
import { IS_THROTTLED, IS_UNREAD } from '../webhooks/subscriptions/receiver-state.ts';
import { subscriptionSchema } from '../webhooks/subscriptions/subscription.schema.ts';
import { ofSubscription } from '../webhooks/subscriptions/subscription.store.ts';

const access = memberScope('webhooks:manage');

const WAITING_MAX = 1_000;

const rowSchema = s.response({
  ...subscriptionSchema.properties,
  failingSince: s.nullable(
    s.isoTime({ description: 'the time of the first of the failures in a row' }),
  ),
  isThrottled: Type.Boolean({
    description: 'its deliveries wait and are tried one at a time, until one succeeds',
  }),
  pausedUntil: s.nullable(
    s.isoTime({ description: 'when the next of the waiting deliveries is tried' }),
  ),
  waiting: Type.Integer({
    minimum: 0,
    maximum: WAITING_MAX,
    description: `the number of events that wait to be sent; ${WAITING_MAX} also stands for more`,
  }),
  previousSecretUntil: s.nullable(
    s.isoTime({ description: 'until when deliveries are also signed with the former secret' }),
  ),
});

/** Retries and replays that wait, and the events of which no attempt was made yet. */
const WAITING = `least(${WAITING_MAX}, (
    select count(*) from (
      select from webhook_deliveries d
      where d.sub_account_id = $1 and d.subscription_id = s.id and d.status = 'pending'
      limit ${WAITING_MAX}
    ) as due
  ) + case when ${IS_THROTTLED} then (
    select count(*) from (
      select from events e
      where e.sub_account_id = $1 and ${IS_UNREAD}
      limit ${WAITING_MAX}
    ) as unread
  ) else 0 end)`;

const listed = recordSchema(rowSchema, 's', {
  isThrottled: `(${IS_THROTTLED})`,
  pausedUntil: `case when s.paused_until > now() then s.paused_until end`,
  waiting: WAITING,
  previousSecretUntil: `case when s.previous_until > now() then s.previous_until end`,
});

/** What only the console shows and changes of webhook subscriptions. */
export const subscriptionEndpoints = [
  defineConsoleEndpoint({
    id: 'webhooks.list',
    method: 'GET',
    path: '/console/api/v1/webhooks',
    summary: 'List webhook subscriptions with the state of their receivers, newest first',
    description: 'Takes the parameters of the API.',
    access,
    rate: 'read',
    paged: true,
    query: subscriptionQuery,
    data: Type.Array(rowSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: ({ view, query, after }) => findSubscriptions(view, query, after, listed),
  }),
  defineConsoleEndpoint({
    id: 'webhooks.end-previous-secret',
    method: 'DELETE',
    path: '/console/api/v1/webhooks/:id/previous-secret',
    summary: 'End the grace period of a rotated secret',
    description:
      'Deliveries are no longer signed with the former secret. Changes nothing if there is none.',
    access,
    rate: 'write',
    ...ofSubscription,
    data: s.response({ id: s.uuid() }),
    async write({ work, params: { id } }) {
      await endPreviousSecret(work, id);
      return { data: { id } };
    },
  }),
];
