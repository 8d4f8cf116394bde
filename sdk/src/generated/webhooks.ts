// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { EventName } from './event-fields.ts';
import type { CursorMeta, Deleted, PageMeta } from './shared.ts';

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: 'active' | 'disabled';
  disabledReason: string | null;
  lastDeliveryAt: string | null;
  lastSuccessAt: string | null;
  consecutiveFailures: number;
  createdAt: string;
  updatedAt: string;
}

export interface CreatedWebhook {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: 'active' | 'disabled';
  disabledReason: string | null;
  lastDeliveryAt: string | null;
  lastSuccessAt: string | null;
  consecutiveFailures: number;
  createdAt: string;
  updatedAt: string;
  /** shown here only */
  secret?: string;
}

export interface NewSecret {
  /** shown here only */
  secret?: string;
}

export interface WebhookDelivery {
  id: string;
  eventId: string;
  event: string;
  attempt: number;
  trigger: 'scheduled' | 'manual';
  status: 'pending' | 'succeeded' | 'failed';
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number | null;
  error: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
}

export interface WebhooksListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface WebhooksCreateBody {
  /** https only, and no address that is private or reserved */
  url: string;
  events: readonly EventName[];
  description?: string | null | undefined;
}

export interface WebhooksUpdateBody {
  /** https only, and no address that is private or reserved */
  url?: string | undefined;
  events?: readonly EventName[] | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface WebhooksRegenerateSecretBody {
  /** for so long deliveries are signed with the secret before, too */
  gracePeriodSeconds?: number | undefined;
}

export interface WebhooksDeliveriesQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  status?: 'pending' | 'succeeded' | 'failed' | undefined;
  event?: EventName | 'webhook.test' | undefined;
  eventId?: string | undefined;
}

export const webhooks = (api: Api) => ({
  /**
   * List webhook subscriptions, newest first.
   *
   * Scope: `webhooks:manage`.
   */
  list: (query: WebhooksListQuery = {}, options?: CallOptions) =>
    api.answer<Webhook[], PageMeta>('GET', path`/api/v1/webhooks`, { query, options }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: WebhooksListQuery = {}, options?: CallOptions) =>
    iterateList<Webhook, PageMeta>(api, path`/api/v1/webhooks`, query, options),

  /**
   * Subscribe a URL to events.
   *
   * It is sent what happens from now on. `secret` signs the deliveries and is shown here only.
   * A sub-account has at most 100 subscriptions (`details.reason` `too_many_subscriptions`).
   *
   * Scope: `webhooks:manage`.
   */
  create: (body: WebhooksCreateBody, options?: CallOptions) =>
    api.data<CreatedWebhook>('POST', path`/api/v1/webhooks`, { body, options }),

  /**
   * Get one webhook subscription.
   *
   * Scope: `webhooks:manage`.
   */
  get: (id: string, options?: CallOptions) =>
    api.data<Webhook>('GET', path`/api/v1/webhooks/${id}`, { options }),

  /**
   * Change the given fields of a subscription.
   *
   * Disabling gives up the attempts that wait; activating begins with what happens from then
   * on.
   *
   * Scope: `webhooks:manage`.
   */
  update: (id: string, body: WebhooksUpdateBody, options?: CallOptions) =>
    api.data<Webhook>('PATCH', path`/api/v1/webhooks/${id}`, { body, options }),

  /**
   * Delete a subscription; nothing more is sent to it.
   *
   * Scope: `webhooks:manage`.
   */
  delete: (id: string, options?: CallOptions) =>
    api.data<Deleted>('DELETE', path`/api/v1/webhooks/${id}`, { options }),

  /**
   * Give a subscription another secret.
   *
   * The secret before ends at once, or after the grace period: until then deliveries also carry
   * `X-Webhook-Signature-Previous`.
   *
   * Scope: `webhooks:manage`.
   */
  regenerateSecret: (id: string, body: WebhooksRegenerateSecretBody = {}, options?: CallOptions) =>
    api.data<NewSecret>('POST', path`/api/v1/webhooks/${id}/regenerate-secret`, { body, options }),

  /**
   * Send a test event to a subscription.
   *
   * It is named `webhook.test`; nobody else is sent it. Works while disabled, too.
   *
   * Scope: `webhooks:manage`.
   */
  test: (id: string, options?: CallOptions) =>
    api.data<WebhookDelivery>('POST', path`/api/v1/webhooks/${id}/test`, { options }),

  /**
   * List the attempts of the last 30 days, newest first.
   *
   * A row is one attempt: made, or `pending` until `nextAttemptAt`.
   *
   * Scope: `webhooks:manage`.
   */
  deliveries: (id: string, query: WebhooksDeliveriesQuery = {}, options?: CallOptions) =>
    api.answer<WebhookDelivery[], CursorMeta>('GET', path`/api/v1/webhooks/${id}/deliveries`, {
      query,
      options,
    }),

  /** Iterates over all of `deliveries`, page by page. */
  iterateDeliveries: (id: string, query: WebhooksDeliveriesQuery = {}, options?: CallOptions) =>
    iterateList<WebhookDelivery, CursorMeta>(
      api,
      path`/api/v1/webhooks/${id}/deliveries`,
      query,
      options,
    ),

  /**
   * Send an attempt's event once more, now.
   *
   * The receiver gets the same event id and body. Works while disabled, too.
   *
   * Scope: `webhooks:manage`.
   */
  retry: (id: string, deliveryId: string, options?: CallOptions) =>
    api.data<WebhookDelivery>('POST', path`/api/v1/webhooks/${id}/deliveries/${deliveryId}/retry`, {
      options,
    }),
});
