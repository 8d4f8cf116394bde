import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import { notFound, orNotFound } from '#core/fault.ts';
import { readPause } from '#platform/queue/pause.ts';
import type { View } from '#core/work.ts';
import {
  listDelivery,
  type ListedDelivery,
} from '../../webhooks/deliveries/list-all-deliveries.ts';
import { BREAKS_AT } from '../../webhooks/subscriptions/health.ts';
import { selectsAll } from '../../webhooks/subscriptions/subscription.schema.ts';
import { findEvent, type StoredEvent } from './find-event.ts';
import { momentIn, type Moment } from './moment.ts';
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
  const moment = await momentIn(view);
  const last = status === 'pending' ? attempt : await lastAttempt(view, attempt);
  if (last?.status === 'succeeded') {
    return happened(failureOf(attempt, ''), succeededLater(last));
  }
  const subscription = await readSubscription(view, attempt.subscriptionId);
  const paused = await breaker(view, subscription, moment);
  const off = disabled(subscription);
  if (status === 'pending') {
    const waiting = paused.length > 0 ? paused : [waitingOf(attempt, view.now, moment)];
    return because(
      ...(await pausedWorkers(view)),
      ...waiting,
      ...(await lastFailure(view, attempt)),
      ...off,
    );
  }
  const isAhead = last?.status === 'pending' && paused.length === 0;
  const ahead = isAhead ? [waitingOf(last, view.now, moment)] : paused;
  return because(failureOf(attempt), ...off, ...ahead);
}

/** Returns that the event of a failed attempt was delivered by a later one. */
function succeededLater({ id, attempt, responseStatus, ...last }: ListedDelivery): Reason {
  return {
    rule: 'delivered',
    sentence: `Attempt ${attempt} succeeded: the receiver returned ${responseStatus}.`,
    record: { type: 'delivery', id },
    at: last.sentAt ?? last.createdAt,
  };
}

/** Returns that no worker sends anything until an operator resumes them, as after a restore. */
async function pausedWorkers(view: View): Promise<Reason[]> {
  const { heldSince, reason } = await readPause(view);
  return heldSince === null
    ? []
    : [
        {
          rule: 'workers_paused',
          sentence: `All workers are paused${reason === null ? '' : `: ${reason}`}. frontdesk admin release resumes them.`,
          record: null,
          at: heldSince.toISOString(),
        },
      ];
}

/** Returns that an attempt waits for its time. */
function waitingOf(
  { id, attempt, nextAttemptAt }: ListedDelivery,
  now: Date,
  moment: Moment,
): Reason {
  const time = nextAttemptAt === null ? undefined : moment(nextAttemptAt);
  const isLate = nextAttemptAt !== null && new Date(nextAttemptAt) <= now;
  const sentence = isLate
    ? `Attempt ${attempt} has been due since ${time}.`
    : `Attempt ${attempt} is made ${time === undefined ? 'next' : `at ${time}`}.`;
  return { rule: 'waiting', sentence, record: { type: 'delivery', id }, at: nextAttemptAt };
}

/** Returns the last attempt at an event. */
async function lastAttempt(
  view: View,
  { subscriptionId, eventId }: ListedDelivery,
): Promise<ListedDelivery | undefined> {
  const values = [view.subAccountId, subscriptionId, eventId];
  const [last] = await view.rows<{ id: string }>(LAST_ATTEMPT, values);
  return last && listDelivery(view, last.id);
}

/** Returns why an attempt failed. `advice` replaces what to do about it. */
function failureOf(failed: ListedDelivery, advice?: string): Reason {
  const { id, attempt, responseStatus, responseBody, error } = failed;
  const record = { type: 'delivery', id };
  const at = failed.sentAt ?? failed.createdAt;
  return responseStatus === null
    ? {
        rule: 'no_response',
        sentence:
          `Attempt ${attempt} got no response: ${error ?? 'unknown'}. ${advice ?? CHECK_URL}`.trim(),
        record,
        at,
      }
    : {
        rule: 'http_status',
        sentence:
          `The receiver answered attempt ${attempt} with status ${responseStatus}; only 2xx counts.${bodyText(responseBody)} ${advice ?? FIX_RECEIVER}`.trim(),
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
async function breaker(
  view: View,
  subscription: SubscriptionRow,
  moment: Moment,
): Promise<Reason[]> {
  const { id, events, position, pausedUntil, consecutiveFailures } = subscription;
  if (pausedUntil === null && !isThrottled(subscription)) {
    return [];
  }
  const all = selectsAll(events) ? null : events;
  const [row] = await view.rows<{ waiting: number }>(WAITING, [view.subAccountId, position, all]);
  const sentence =
    `The last ${consecutiveFailures} attempts failed, so Frontdesk tries one delivery at a time until one succeeds. ` +
    `The next try is ${pausedUntil === null ? 'now' : `at ${moment(pausedUntil)}`}. ${row?.waiting ?? 0} events wait for their first attempt.`;
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
    const paused = await breaker(view, subscription, await momentIn(view));
    if (paused.length > 0) {
      return paused;
    }
    const sentence = 'The event waits for its first attempt.';
    const waiting = { rule: 'waiting', sentence, record, at: event.occurredAt };
    return [...(await pausedWorkers(view)), waiting];
  }
  const sentence = 'The event was passed over while the subscription did not select it or was off.';
  return [{ rule: 'not_selected', sentence, record, at: event.occurredAt }];
}
