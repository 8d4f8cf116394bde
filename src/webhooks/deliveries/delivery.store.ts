import { orNotFound } from '#core/fault.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { View, Work } from '#core/work.ts';
import { deliverySchema } from './delivery.schema.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import { queueDelivery } from './webhooks.jobs.ts';

/** SQL of members that are no columns. A retry is created when the previous attempt is made. */
export const COMPUTED = {
  sentAt: `to_timestamp((d.sent->>'at')::double precision / 1000)`,
};

/** Attempt `d` as every endpoint returns it. */
export const deliveryRecord = recordSchema(deliverySchema, 'd', COMPUTED);

/** The ids of an attempt and its subscription. */
export interface DeliveryPlace {
  readonly subscriptionId: string;
  readonly deliveryId: string;
}

export interface Delivery {
  readonly eventId: string;
  readonly event: string;
}

/** Returns the event of an attempt. Throws NOT_FOUND, also for a deleted subscription. */
export async function readDelivery(
  view: View,
  { subscriptionId, deliveryId }: DeliveryPlace,
): Promise<Delivery> {
  const [delivery] = await view.rows<Delivery>(DELIVERY, [
    view.subAccountId,
    subscriptionId,
    deliveryId,
  ]);
  return orNotFound(delivery, 'delivery');
}

const DELIVERY = `select d.event_id as "eventId", d.event from webhook_deliveries d
  join webhook_subscriptions s on s.sub_account_id = d.sub_account_id and s.id = d.subscription_id
  where d.sub_account_id = $1 and d.subscription_id = $2 and d.id = $3 and s.deleted_at is null`;

interface QueueAttemptQuery extends Delivery {
  readonly subscriptionId: string;
  readonly attempt: number;
}

/** Queues a manual attempt for now. Returns a function that returns its row once it is written. */
export function queueAttempt(work: Work, query: QueueAttemptQuery): () => Json {
  const { subAccountId, now } = work;
  const { subscriptionId, eventId, event, attempt } = query;
  const values = [subAccountId, newId(now), subscriptionId, eventId, event, attempt, now];
  const written = work.writeRecord(INSERT, values, deliveryRecord);
  queueDelivery(work, subscriptionId);
  return written;
}

/** Due now by the database's clock, also if the clock of this process is ahead. */
const INSERT = `insert into webhook_deliveries as d (sub_account_id, id, subscription_id, event_id,
    event, attempt, trigger, status, created_at, next_attempt_at)
  values ($1, $2, $3, $4, $5, $6, 'manual', 'pending', $7, least($7::timestamptz, now()))
  returning ${deliveryRecord.members}`;
