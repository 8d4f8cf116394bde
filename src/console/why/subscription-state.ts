import { isoText } from '#core/schema/columns.ts';
import { orNotFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { BREAKS_AT } from '../../webhooks/subscriptions/health.ts';
import { BY_REQUEST } from '../../webhooks/subscriptions/update-subscription.ts';
import { selectsAll } from '../../webhooks/subscriptions/subscription.schema.ts';
import type { WhyLanguage } from './language.ts';
import type { Moment } from './moment.ts';
import type { Reason } from './why.ts';

/** The words of an answer about a delivery. */
export interface DeliveryWords {
  readonly texts: WhyLanguage['messages']['delivery'];
  readonly moment: Moment;
}

export interface SubscriptionRow {
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

export async function readSubscription(view: View, id: string): Promise<SubscriptionRow> {
  const [row] = await view.rows<SubscriptionRow>(SUBSCRIPTION, [view.subAccountId, id]);
  return orNotFound(row, 'webhook');
}

const SUBSCRIPTION = `select id, status, disabled_reason as "disabledReason", events, position,
    ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt",
    ${isoText('deleted_at')} as "deletedAt",
    case when paused_until > now() then ${isoText('paused_until')} end as "pausedUntil",
    consecutive_failures as "consecutiveFailures"
  from webhook_subscriptions where sub_account_id = $1 and id = $2`;

/** Returns that a subscription gets no events, and since when. */
export function disabled(subscription: SubscriptionRow, { texts }: DeliveryWords): Reason[] {
  const { id, status, disabledReason, updatedAt, deletedAt } = subscription;
  const record = { type: 'webhook', id };
  if (deletedAt !== null) {
    return [{ rule: 'deleted', sentence: texts.deleted, record, at: deletedAt }];
  }
  const why = disabledReason === BY_REQUEST ? texts.byRequest : disabledReason;
  return status === 'disabled'
    ? [{ rule: 'disabled', sentence: texts.disabled(why), record, at: updatedAt }]
    : [];
}

const isThrottled = ({ status, consecutiveFailures }: SubscriptionRow): boolean =>
  status === 'active' && consecutiveFailures >= BREAKS_AT;

/** Returns that Frontdesk itself pauses between attempts, after many failures in a row. */
export async function breaker(
  view: View,
  subscription: SubscriptionRow,
  { texts, moment }: DeliveryWords,
): Promise<Reason[]> {
  const { id, events, position, pausedUntil, consecutiveFailures } = subscription;
  if (pausedUntil === null && !isThrottled(subscription)) {
    return [];
  }
  const all = selectsAll(events) ? null : events;
  const [row] = await view.rows<{ waiting: number }>(WAITING, [view.subAccountId, position, all]);
  const sentence = texts.breaker({
    failures: consecutiveFailures,
    nextAt: pausedUntil === null ? null : moment(pausedUntil),
    waiting: row?.waiting ?? 0,
  });
  return [{ rule: 'paused', sentence, record: { type: 'webhook', id }, at: pausedUntil }];
}

const WAITING = `select count(*)::int as waiting from events
  where sub_account_id = $1 and position > $2 and ($3::text[] is null or name = any ($3))`;
