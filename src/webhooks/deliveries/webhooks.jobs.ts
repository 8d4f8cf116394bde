import { defineJob, keyOf } from '#core/job.ts';
import * as s from '#core/schema/schema.ts';
import type { JobTime, Work } from '#core/work.ts';

/** Serves one subscription: due attempts, then new events. */
export const deliverWebhooks = defineJob({
  name: 'webhooks/deliver',
  payload: s.request({ subAccountId: s.uuid(), subscriptionId: s.uuid() }),
  keyFrom: ['subscriptionId'],
  maxAttempts: 25,
  lane: 'peers',
  isWakeUp: true,
});

/** Fails the pending attempts of a deleted subscription. */
export const closeDeliveries = defineJob({
  name: 'webhooks/close-deliveries',
  payload: s.request({ subAccountId: s.uuid(), subscriptionId: s.uuid() }),
  keyFrom: ['subscriptionId'],
  maxAttempts: 25,
});

/** Ends waits that a clock has made too long. */
export const endLongWaits = defineJob({
  name: 'webhooks/end-long-waits',
  payload: s.request({}),
  // The schedule queues it again soon.
  maxAttempts: 1,
});

/** Queues the job for a time, or for now. SQL function `publish_events` queues the same job and key. */
export function queueDelivery(work: Work, subscriptionId: string, when: JobTime = {}): void {
  const payload = { subAccountId: work.subAccountId, subscriptionId };
  const key = keyOf(deliverWebhooks, payload);
  work.enqueue(deliverWebhooks, payload, { ...when, key });
}
