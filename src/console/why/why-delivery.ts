import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import { readPause } from '#platform/queue/pause.ts';
import type { View } from '#core/work.ts';
import {
  listDelivery,
  type ListedDelivery,
} from '../../webhooks/deliveries/list-all-deliveries.ts';
import { closedError } from '../../webhooks/subscriptions/disable.ts';
import { selectsAll } from '../../webhooks/subscriptions/subscription.schema.ts';
import { findEvent, type StoredEvent } from './find-event.ts';
import { momentIn } from './moment.ts';
import {
  breaker,
  disabled,
  readSubscription,
  type DeliveryWords,
  type SubscriptionRow,
} from './subscription-state.ts';
import { because, happened, type Reason, type WhyAnswer, type WhyKind } from './why.ts';

/** An attempt by its id, or an event that a subscription did not get. */
export const whyDelivery: WhyKind = {
  kind: 'delivery',
  summary: 'a webhook delivery that failed, or was not made',
  access: memberScope('webhooks:manage'),
  needs: [['id'], ['eventId', 'subscriptionId']],
  async explain(view, { id, eventId, subscriptionId }, language) {
    const words = { texts: language.messages.delivery, moment: await momentIn(view, language) };
    return id === undefined
      ? explainEvent(view, { eventId, subscriptionId }, words)
      : explainAttempt(view, id, words);
  },
};

async function explainAttempt(view: View, id: string, words: DeliveryWords): Promise<WhyAnswer> {
  const attempt = await listDelivery(view, id);
  if (!attempt) {
    throw notFound('delivery');
  }
  const { status, responseStatus } = attempt;
  const at = attempt.sentAt ?? attempt.createdAt;
  const record = { type: 'delivery', id };
  if (status === 'succeeded') {
    const sentence = words.texts.succeeded(responseStatus ?? 0);
    return happened({ rule: 'delivered', sentence, record, at });
  }
  const last = status === 'pending' ? attempt : await lastAttempt(view, attempt);
  if (last?.status === 'succeeded') {
    return happened(failureOf(attempt, words, ''), succeededLater(last, words));
  }
  const subscription = await readSubscription(view, attempt.subscriptionId);
  const paused = await breaker(view, subscription, words);
  const off = disabled(subscription, words);
  if (status === 'pending' && subscription.deletedAt !== null) {
    // A job is about to fail it.
    const sentence = words.texts.notSent.deleted(attempt.attempt);
    return because(...off.map((one) => ({ ...one, sentence })));
  }
  if (status === 'pending') {
    const waiting = paused.length > 0 ? paused : [waitingOf(attempt, view.now, words)];
    return because(
      ...(await pausedWorkers(view, words)),
      ...waiting,
      ...(await lastFailure(view, attempt, words)),
      ...off,
    );
  }
  const failure = failureOf(attempt, words);
  if (failure.rule === 'deleted') {
    return because(...off.map((one) => ({ ...one, sentence: failure.sentence })));
  }
  const isAhead = last?.status === 'pending' && paused.length === 0;
  const ahead = isAhead ? [waitingOf(last, view.now, words)] : paused;
  const isOver = off.length === 0 && last?.status === 'failed';
  return because(failure, ...off, ...ahead, ...(isOver ? [over(last, words)] : []));
}

/** Returns that the event of a failed attempt was delivered by a later one. */
function succeededLater(
  { id, attempt, responseStatus, ...last }: ListedDelivery,
  { texts }: DeliveryWords,
): Reason {
  return {
    rule: 'delivered',
    sentence: texts.succeededLater({ attempt, status: responseStatus ?? 0 }),
    record: { type: 'delivery', id },
    at: last.sentAt ?? last.createdAt,
  };
}

/** Returns that no worker sends anything until an operator resumes them, as after a restore. */
async function pausedWorkers(view: View, { texts }: DeliveryWords): Promise<Reason[]> {
  const { heldSince, reason } = await readPause(view);
  return heldSince === null
    ? []
    : [
        {
          rule: 'workers_paused',
          sentence: texts.workersPaused(reason),
          record: null,
          at: heldSince.toISOString(),
        },
      ];
}

/** Returns that no attempt follows the last one: none was left, or it was made by hand. */
const over = ({ id, ...last }: ListedDelivery, { texts }: DeliveryWords): Reason => ({
  rule: 'no_retry',
  sentence: texts.noRetry,
  record: { type: 'delivery', id },
  at: last.sentAt ?? last.createdAt,
});

/** Returns that an attempt waits for its time. */
function waitingOf(
  { id, attempt, nextAttemptAt }: ListedDelivery,
  now: Date,
  { texts, moment }: DeliveryWords,
): Reason {
  const time = nextAttemptAt === null ? null : moment(nextAttemptAt);
  const isLate = nextAttemptAt !== null && new Date(nextAttemptAt) <= now;
  const sentence =
    isLate && time !== null ? texts.dueSince(attempt, time) : texts.madeAt(attempt, time);
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

/** Why an attempt that waited was not sent. */
const ENDS = ['deleted', 'disabled'] as const;

/** Returns why an attempt failed. `advice` replaces what to do about it. */
function failureOf(failed: ListedDelivery, { texts }: DeliveryWords, advice?: string): Reason {
  const { id, attempt, responseStatus, responseBody, error } = failed;
  const record = { type: 'delivery', id };
  const ended = ENDS.find((one) => error === closedError(one));
  if (ended) {
    return { rule: ended, sentence: texts.notSent[ended](attempt), record, at: null };
  }
  const at = failed.sentAt ?? failed.createdAt;
  return responseStatus === null
    ? {
        rule: 'no_response',
        sentence: `${texts.noResponse(attempt, error)} ${advice ?? texts.checkUrl}`.trim(),
        record,
        at,
      }
    : {
        rule: 'http_status',
        sentence: [
          texts.badStatus({ attempt, status: responseStatus }),
          ...bodyText(responseBody).map(texts.responseBegins),
          advice ?? texts.fixReceiver,
        ]
          .join(' ')
          .trim(),
        record,
        at,
      };
}

/** Returns why the attempt before a retry failed. */
async function lastFailure(
  view: View,
  { subscriptionId, eventId }: ListedDelivery,
  words: DeliveryWords,
): Promise<Reason[]> {
  const values = [view.subAccountId, subscriptionId, eventId];
  const [failed] = await view.rows<{ id: string }>(LAST_FAILED, values);
  const attempt = failed && (await listDelivery(view, failed.id));
  return attempt ? [failureOf(attempt, words)] : [];
}

const LAST_FAILED = `select id from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = $3 and status = 'failed'
  order by id desc limit 1`;

const BODY_SHOWN = 200;

/** Returns the start of the receiver's response, on one line, if it has any text. */
function bodyText(body: string | null): string[] {
  const text = (body ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const shown = text.slice(0, BODY_SHOWN).toWellFormed();
  return shown === '' ? [] : [`${shown}${shown === text ? '' : '…'}`];
}

async function explainEvent(
  view: View,
  { eventId, subscriptionId }: { readonly eventId: string; readonly subscriptionId: string },
  words: DeliveryWords,
): Promise<WhyAnswer> {
  const subscription = await readSubscription(view, subscriptionId);
  const event = await findEvent(view, eventId);
  const [attempt] = await view.rows<{ id: string }>(LAST_ATTEMPT, [
    view.subAccountId,
    subscriptionId,
    eventId,
  ]);
  return attempt
    ? explainAttempt(view, attempt.id, words)
    : because(...(await notTried(view, subscription, event, words)));
}

const LAST_ATTEMPT = `select id from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = $3 order by id desc limit 1`;

/** Returns why no attempt was made: the first reason that applies. */
async function notTried(
  view: View,
  subscription: SubscriptionRow,
  event: StoredEvent,
  words: DeliveryWords,
): Promise<readonly Reason[]> {
  const { texts } = words;
  const record = { type: 'webhook', id: subscription.id };
  const { events, createdAt, position } = subscription;
  if (!selectsAll(events) && !events.includes(event.name)) {
    const sentence = texts.notSelected(event.name);
    return [{ rule: 'not_selected', sentence, record, at: subscription.updatedAt }];
  }
  if (event.occurredAt < createdAt) {
    const sentence = texts.beforeSubscription;
    return [{ rule: 'before_subscription', sentence, record, at: createdAt }];
  }
  const [off] = disabled(subscription, words);
  if (off) {
    return [off];
  }
  if (event.position === null || event.position > position) {
    const paused = await breaker(view, subscription, words);
    if (paused.length > 0) {
      return paused;
    }
    const waiting = { rule: 'waiting', sentence: texts.waits, record, at: event.occurredAt };
    return [...(await pausedWorkers(view, words)), waiting];
  }
  const sentence = texts.passedOver;
  return [{ rule: 'not_selected', sentence, record, at: event.occurredAt }];
}
