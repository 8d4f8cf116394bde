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
  /** the signing secret; not returned again */
  secret?: string;
}

export interface NewSecret {
  /** the signing secret; not returned again */
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
  /**
   * when the attempt was scheduled; a retry is scheduled when the previous attempt is made
   */
  createdAt: string;
  /**
   * when the attempt was made, as in `X-Webhook-Timestamp`; null while it is pending, and for
   * attempts made by releases that did not store it
   */
  sentAt: string | null;
  /**
   * when a `pending` attempt is due; for a failed one, when its retry was due, or null if none
   * was planned
   */
  nextAttemptAt: string | null;
}

export type SubscribedEvent =
  | 'contact.created'
  | 'contact.updated'
  | 'contact.lifecycle_changed'
  | 'contact.tag_added'
  | 'message.received'
  | 'message.sent'
  | 'message.delivered'
  | 'message.failed'
  | 'appointment.booked'
  | 'appointment.cancelled'
  | 'appointment.rescheduled'
  | 'appointment.confirmed'
  | 'appointment.completed'
  | 'appointment.no_show'
  | 'opportunity.created'
  | 'opportunity.updated'
  | 'opportunity.stage_changed'
  | 'opportunity.won'
  | 'opportunity.lost'
  | 'opportunity.deleted'
  | 'form.submitted'
  | 'invoice.paid'
  | 'task.created'
  | 'task.updated'
  | 'task.completed'
  | 'task.deleted'
  | '*';

export interface WebhooksListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface WebhooksCreateBody {
  /**
   * an https URL; private and reserved addresses are refused. http is accepted if every address
   * of the host is in FRONTDESK_OUTBOUND_ALLOW
   */
  url: string;
  /** names of events, or `["*"]` for all, including those of later releases */
  events: readonly SubscribedEvent[];
  description?: string | null | undefined;
}

export interface WebhooksUpdateBody {
  /**
   * an https URL; private and reserved addresses are refused. http is accepted if every address
   * of the host is in FRONTDESK_OUTBOUND_ALLOW
   */
  url?: string | undefined;
  /** names of events, or `["*"]` for all, including those of later releases */
  events?: readonly SubscribedEvent[] | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface WebhooksRegenerateSecretBody {
  /** how long deliveries are also signed with the previous secret */
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
   * The subscription gets events from now on; `["*"]` stands for all events, including those of
   * later releases. `secret` signs the deliveries and is not returned again. A sub-account has
   * at most 100 subscriptions (`details.reason` `too_many_subscriptions`). Fires no event.
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
   * Disabling a subscription fails its pending attempts. A subscription that is activated gets
   * events from then on. Fires no event.
   *
   * Scope: `webhooks:manage`.
   */
  update: (id: string, body: WebhooksUpdateBody, options?: CallOptions) =>
    api.data<Webhook>('PATCH', path`/api/v1/webhooks/${id}`, { body, options }),

  /**
   * Delete a subscription and stop its deliveries.
   *
   * Fires no event.
   *
   * Scope: `webhooks:manage`.
   */
  delete: (id: string, options?: CallOptions) =>
    api.data<Deleted>('DELETE', path`/api/v1/webhooks/${id}`, { options }),

  /**
   * Regenerate the secret of a subscription.
   *
   * The previous secret becomes invalid at once, or after the grace period. Until then,
   * `webhook-signature` has a signature by each secret, and deliveries also have
   * `X-Webhook-Signature-Previous`. Fires no event.
   *
   * Scope: `webhooks:manage`.
   */
  regenerateSecret: (id: string, body: WebhooksRegenerateSecretBody = {}, options?: CallOptions) =>
    api.data<NewSecret>('POST', path`/api/v1/webhooks/${id}/regenerate-secret`, { body, options }),

  /**
   * Send a test event to a subscription.
   *
   * Sends a `webhook.test` event without data to this subscription only, even while it is
   * disabled. The event is not in the list of events.
   *
   * Scope: `webhooks:manage`.
   */
  test: (id: string, options?: CallOptions) =>
    api.data<WebhookDelivery>('POST', path`/api/v1/webhooks/${id}/test`, { options }),

  /**
   * List the attempts of the last 30 days, newest first.
   *
   * Each row is one attempt. A `pending` attempt is made at `nextAttemptAt`; the others are
   * completed.
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
   * Send the event of an attempt again.
   *
   * Sends the same event id and body at once, even while the subscription is disabled. Fires no
   * new event.
   *
   * Scope: `webhooks:manage`.
   */
  retry: (id: string, deliveryId: string, options?: CallOptions) =>
    api.data<WebhookDelivery>('POST', path`/api/v1/webhooks/${id}/deliveries/${deliveryId}/retry`, {
      options,
    }),
});
