import { defineJob } from '#core/job.ts';
import * as s from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';

/** Serves one subscription: attempts that are due, then the events that it has not been sent yet. */
export const deliverWebhooks = defineJob({
  name: 'webhooks/deliver',
  payload: s.request({ subAccountId: s.uuid(), subscriptionId: s.uuid() }),
  maxAttempts: 25,
  lane: 'peers',
});

/** Has a subscription served at `runAt`, or now; the publisher (`publish_events`) does it in this form. */
export function queueDelivery(work: Work, subscriptionId: string, runAt?: Date): void {
  const key = `${deliverWebhooks.name}:${subscriptionId}`;
  const payload = { subAccountId: work.subAccountId, subscriptionId };
  work.enqueue(deliverWebhooks, payload, { key, ...(runAt && { runAt }) });
}
