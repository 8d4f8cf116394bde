import { Fault } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { lockSubscription } from '../subscriptions/subscription.store.ts';
import { type DeliveryPlace, queueAttempt, readDelivery } from './delivery.store.ts';

/** Sends the event of an attempt again, at once, whatever the status of its subscription. */
export async function retryDelivery(work: Work, place: DeliveryPlace): Promise<() => Json> {
  const { subscriptionId, deliveryId } = place;
  const subscription = await lockSubscription(work, subscriptionId);
  const { eventId, event } = await readDelivery(work, place);
  const attempt = (await lastAttempt(work, subscriptionId, eventId)) + 1;
  subscription.pausedUntil = null;
  work.audit(deliveryId);
  return queueAttempt(work, { subscriptionId, eventId, event, attempt });
}

async function lastAttempt(work: Work, subscriptionId: string, eventId: string): Promise<number> {
  const [last] = await work.rows<{ attempt: number }>(LAST_ATTEMPT, [
    work.subAccountId,
    subscriptionId,
    eventId,
  ]);
  if (!last) {
    throw new Fault('VALIDATION_ERROR', 'the event is older than 30 days and was deleted', {
      reason: 'event_gone',
    });
  }
  return last.attempt;
}

const LAST_ATTEMPT = `select max(d.attempt) as attempt
  from events e
  join webhook_deliveries d on d.sub_account_id = e.sub_account_id and d.event_id = e.id
  where e.sub_account_id = $1 and d.subscription_id = $2 and e.id = $3
  group by e.id`;
