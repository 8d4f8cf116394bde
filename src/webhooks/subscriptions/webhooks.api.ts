import { defineKeyedEndpoint, scope, type KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { DeferredData } from '#core/endpoint/reply.ts';
import { Type } from 'typebox';
import { json, jsonText } from '#core/schema/json.ts';
import * as s from '#core/schema/schema.ts';
import { createSubscription } from './create-subscription.ts';
import { deleteSubscription } from './delete-subscription.ts';
import { findSubscriptions, subscriptionQuery } from './find-subscriptions.ts';
import { ofSubscription, readSubscription, theSubscription } from './subscription.store.ts';
import { regenerateSecret } from './regenerate-secret.ts';
import {
  regenerateBody,
  shownOnce,
  subscriptionBodies,
  subscriptionSchema,
} from './subscription.schema.ts';
import { updateSubscription } from './update-subscription.ts';
import { type Fault, invalidField } from '#core/fault.ts';
import type { Tools } from '#core/tools.ts';

/** Returns the endpoints of subscriptions. `eventNames` are the events to choose from. */
export function webhookEndpoints(eventNames: readonly string[]): readonly KeyedEndpoint[] {
  const { create, patch } = subscriptionBodies(eventNames);
  return [list, creating(create), get, updating(patch), remove, regenerate];
}

type Bodies = ReturnType<typeof subscriptionBodies>;

const access = scope('webhooks:manage');

const list = defineKeyedEndpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List webhook subscriptions, newest first',
  access,
  rate: 'read',
  paged: true,
  query: subscriptionQuery,
  data: Type.Array(subscriptionSchema),
  meta: Type.Object({ total: Type.Integer() }),
  read: ({ view, query, after }) => findSubscriptions(view, query, after),
});

const creating = (body: Bodies['create']) =>
  defineKeyedEndpoint({
    id: 'webhooks.create',
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Subscribe a URL to events',
    description:
      'The subscription gets events from now on; `["*"]` stands for all events, including those of later releases. `secret` signs the deliveries and is not returned again. A sub-account has at most 100 subscriptions (`details.reason` `too_many_subscriptions`). Fires no event.',
    access,
    rate: 'write',
    body,
    precheck: urlIssue,
    data: s.response({ ...subscriptionSchema.properties, ...shownOnce }),
    shownOnce: Object.keys(shownOnce),
    status: 201,
    async write({ work, body: given, tools }) {
      const { id, secret } = await createSubscription(work, tools.secrets, given);
      return { data: withSecret(id, secret) };
    },
  });

const withSecret =
  (id: string, secret: string): DeferredData =>
  async (view) =>
    json(
      `${jsonText(await readSubscription(view, id)).slice(0, -1)},"secret":${JSON.stringify(secret)}}`,
    );

const get = defineKeyedEndpoint({
  id: 'webhooks.get',
  method: 'GET',
  path: '/api/v1/webhooks/:id',
  summary: 'Get one webhook subscription',
  access,
  rate: 'read',
  ...ofSubscription,
  data: subscriptionSchema,
  read: async ({ view, params: { id } }) => ({ data: await readSubscription(view, id) }),
});

const updating = (body: Bodies['patch']) =>
  defineKeyedEndpoint({
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/api/v1/webhooks/:id',
    summary: 'Change the given fields of a subscription',
    description:
      'Disabling a subscription fails its pending attempts. A subscription that is activated gets events from then on. Fires no event.',
    access,
    rate: 'write',
    ...ofSubscription,
    body,
    precheck: urlIssue,
    data: subscriptionSchema,
    async write({ work, params: { id }, body: given }) {
      await updateSubscription(work, id, given);
      return { data: theSubscription(id) };
    },
  });

const remove = defineKeyedEndpoint({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/v1/webhooks/:id',
  summary: 'Delete a subscription and stop its deliveries',
  description: 'Fires no event.',
  access,
  rate: 'write',
  ...ofSubscription,
  data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
  async write({ work, params: { id } }) {
    await deleteSubscription(work, id);
    return { data: { id, deleted: true } };
  },
});

const regenerate = defineKeyedEndpoint({
  id: 'webhooks.regenerate-secret',
  method: 'POST',
  path: '/api/v1/webhooks/:id/regenerate-secret',
  summary: 'Regenerate the secret of a subscription',
  description:
    'The previous secret becomes invalid at once, or after the grace period. Until then, `webhook-signature` has a signature by each secret, and deliveries also have `X-Webhook-Signature-Previous`. Fires no event.',
  access,
  rate: 'write',
  agent: { risk: 'destroys' },
  ...ofSubscription,
  body: regenerateBody,
  bodyOptional: true,
  data: s.response(shownOnce),
  shownOnce: Object.keys(shownOnce),
  async write({ work, params: { id }, body, tools }) {
    return { data: { secret: await regenerateSecret(work, tools.secrets, { id, ...body }) } };
  },
});

interface UrlRequest {
  readonly body: { readonly url?: string };
  readonly tools: Tools;
}

/** Returns why the URL of a body is refused, if there is one. Resolves its host. */
async function urlIssue({ body, tools }: UrlRequest): Promise<Fault | undefined> {
  const refusal = body.url === undefined ? undefined : await tools.outbound.refusal(body.url);
  return refusal === undefined ? undefined : invalidField('/url', `is refused: ${refusal}`);
}
