import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import { notFound, orNotFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import {
  listDelivery,
  type ListedDelivery,
} from '../../webhooks/deliveries/list-all-deliveries.ts';
import { BREAKS_AT } from '../../webhooks/subscriptions/health.ts';
import { selectsAll } from '../../webhooks/subscriptions/subscription.schema.ts';
import { findEvent, type StoredEvent } from './find-event.ts';
import { because, happened, type Reason, type WhyAnswer, type WhyKind } from './why.ts';

/** An attempt by its id, or an event that a subscription did not get. */
export const whyDelivery: WhyKind = {
  kind: 'delivery',
  summary: 'a webhook delivery that failed, or was not made',
  access: memberScope('webhooks:manage'),
  needs: [['id'], ['eventId', 'subscriptionId']],
  explain: (view, { id, eventId, subscriptionId }) =>
    id === undefined ? explainEvent(view, eventId, subscriptionId) : explainAttempt(view, id),
};

async function explainAttempt(view: View, id: string): Promise<WhyAnswer> {
  const attempt = await listDelivery(view, id);
  if (!attempt) {
    throw notFound('delivery');
  }
  const { status, responseStatus } = attempt;
  const at = attempt.sentAt ?? attempt.createdAt;
  const record = { type: 'delivery', id };
  if (status === 'succeeded') {
    const sentence = `The receiver returned ${responseStatus}.`;
    return happened({ rule: 'delivered', sentence, record, at });
  }
  const subscription = await readSubscription(view, attempt.subscriptionId);
  const paused = await breaker(view, subscription);
  const off = disabled(subscription);
  if (status === 'pending') {
    const waiting = paused.length > 0 ? paused : [waitingOf(attempt, view.now)];
    return because(...waiting, ...(await lastFailure(view, attempt)), ...off);
  }
  const next = await nextAttempt(view, attempt);
  const ahead = next && paused.length === 0 ? [waitingOf(next, view.now)] : paused;
  return because(failureOf(attempt), ...off, ...ahead);
}

/** Returns that an attempt waits for its time. */
function waitingOf({ id, attempt, nextAttemptAt }: ListedDelivery, now: Date): Reason {
  const isLate = nextAttemptAt !== null && new Date(nextAttemptAt) <= now;
  const sentence = isLate
    ? `Attempt ${attempt} has been due since ${nextAttemptAt}.`
    : `Attempt ${attempt} is made ${nextAttemptAt ? `at ${nextAttemptAt}` : 'next'}.`;
  return { rule: 'waiting', sentence, record: { type: 'delivery', id }, at: nextAttemptAt };
}

/** Returns the attempt that waits for its time after a failed one. */
async function nextAttempt(
  view: View,
  { subscriptionId, eventId }: ListedDelivery,
): Promise<ListedDelivery | undefined> {
  const values = [view.subAccountId, subscriptionId, eventId];
  const [last] = await view.rows<{ id: string }>(LAST_ATTEMPT, values);
  const found = last && (await listDelivery(view, last.id));
  return found?.status === 'pending' ? found : undefined;
}

/** Returns why an attempt failed. */
function failureOf(failed: ListedDelivery): Reason {
  const { id, attempt, responseStatus, responseBody, error } = failed;
  const record = { type: 'delivery', id };
  const at = failed.sentAt ?? failed.createdAt;
  return responseStatus === null
    ? {
        rule: 'no_response',
        sentence: `Attempt ${attempt} got no response: ${error ?? 'unknown'}. ${CHECK_URL}`,
        record,
        at,
      }
    : {
        rule: 'http_status',
        sentence: `The receiver answered attempt ${attempt} with status ${responseStatus}; only 2xx counts.${bodyText(responseBody)} ${FIX_RECEIVER}`,
        record,
        at,
      };
}

const CHECK_URL =
  'Check the URL of the subscription and that the receiver runs; retry the delivery if no attempt follows.';
const FIX_RECEIVER = 'Fix the receiver; retry the delivery if no attempt follows.';

/** Returns why the attempt before a retry failed. */
async function lastFailure(
  view: View,
  { subscriptionId, eventId }: ListedDelivery,
): Promise<Reason[]> {
  const values = [view.subAccountId, subscriptionId, eventId];
  const [failed] = await view.rows<{ id: string }>(LAST_FAILED, values);
  const attempt = failed && (await listDelivery(view, failed.id));
  return attempt ? [failureOf(attempt)] : [];
}

const LAST_FAILED = `select id from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = $3 and status = 'failed'
  order by id desc limit 1`;

const BODY_SHOWN = 200;

/** Returns the start of the receiver's response, on one line. */
function bodyText(body: string | null): string {
  const text = (body ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const shown = text.slice(0, BODY_SHOWN).toWellFormed();
  return shown === '' ? '' : ` Its response begins: “${shown}${shown === text ? '' : '…'}”.`;
}

interface SubscriptionRow {
  readonly id: string;
  readonly status: string;
  readonly disabledReason: string | null;
  readonly events: readonly string[];
  readonly position: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly pausedUntil: string | null;
  readonly consecutiveFailures: number;
}

async function readSubscription(view: View, id: string): Promise<SubscriptionRow> {
  const [row] = await view.rows<SubscriptionRow>(SUBSCRIPTION, [view.subAccountId, id]);
  return orNotFound(row, 'webhook');
}

const SUBSCRIPTION = `select id, status, disabled_reason as "disabledReason", events, position,
    ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt",
    ${isoText('deleted_at')} as "deletedAt",
    case when paused_until > now() then ${isoText('paused_until')} end as "pausedUntil",
    consecutive_failures as "consecutiveFailures"
  from webhook_subscriptions where sub_account_id = $1 and id = $2`;

function disabled({ id, status, disabledReason, updatedAt, deletedAt }: SubscriptionRow): Reason[] {
  const record = { type: 'webhook', id };
  if (deletedAt !== null) {
    return [{ rule: 'deleted', sentence: 'The subscription was deleted.', record, at: deletedAt }];
  }
  const why = disabledReason ?? 'it was switched off';
  return status === 'disabled'
    ? [
        {
          rule: 'disabled',
          sentence: `The subscription is disabled: ${why}.`,
          record,
          at: updatedAt,
        },
      ]
    : [];
}

const isThrottled = ({ status, consecutiveFailures }: SubscriptionRow): boolean =>
  status === 'active' && consecutiveFailures >= BREAKS_AT;

/** Returns that Frontdesk itself pauses between attempts, after many failures in a row. */
async function breaker(view: View, subscription: SubscriptionRow): Promise<Reason[]> {
  const { id, events, position, pausedUntil, consecutiveFailures } = subscription;
  if (pausedUntil === null && !isThrottled(subscription)) {
    return [];
  }
  const all = selectsAll(events) ? null : events;
  const [row] = await view.rows<{ waiting: number }>(WAITING, [view.subAccountId, position, all]);
  const sentence =
    `The last ${consecutiveFailures} attempts failed, so Frontdesk tries one delivery at a time until one succeeds. ` +
    `The next try is ${pausedUntil === null ? 'now' : `at ${pausedUntil}`}. ${row?.waiting ?? 0} events wait for their first attempt.`;
  return [{ rule: 'paused', sentence, record: { type: 'webhook', id }, at: pausedUntil }];
}

const WAITING = `select count(*)::int as waiting from events
  where sub_account_id = $1 and position > $2 and ($3::text[] is null or name = any ($3))`;

async function explainEvent(view: View, eventId: string, webhookId: string): Promise<WhyAnswer> {
  const subscription = await readSubscription(view, webhookId);
  const event = await findEvent(view, eventId);
  const [attempt] = await view.rows<{ id: string }>(LAST_ATTEMPT, [
    view.subAccountId,
    webhookId,
    eventId,
  ]);
  return attempt
    ? explainAttempt(view, attempt.id)
    : because(...(await notTried(view, subscription, event)));
}

const LAST_ATTEMPT = `select id from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = $3 order by id desc limit 1`;

/** Returns why no attempt was made: the first reason that applies. */
async function notTried(
  view: View,
  subscription: SubscriptionRow,
  event: StoredEvent,
): Promise<readonly Reason[]> {
  const record = { type: 'webhook', id: subscription.id };
  const { events, createdAt, position } = subscription;
  if (!selectsAll(events) && !events.includes(event.name)) {
    const sentence = `The subscription does not select ${event.name}.`;
    return [{ rule: 'not_selected', sentence, record, at: subscription.updatedAt }];
  }
  if (event.occurredAt < createdAt) {
    const sentence = 'The event is older than the subscription; replay sends it.';
    return [{ rule: 'before_subscription', sentence, record, at: createdAt }];
  }
  const [off] = disabled(subscription);
  if (off) {
    return [off];
  }
  if (event.position === null || event.position > position) {
    const paused = await breaker(view, subscription);
    if (paused.length > 0) {
      return paused;
    }
    const sentence = 'The event waits for its first attempt.';
    return [{ rule: 'waiting', sentence, record, at: event.occurredAt }];
  }
  const sentence = 'The event was passed over while the subscription did not select it or was off.';
  return [{ rule: 'not_selected', sentence, record, at: event.occurredAt }];
}
