import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { TEST_EVENT } from './delivery.schema.ts';
import { lockSubscription } from '../subscriptions/subscription.store.ts';
import { queueAttempt } from './delivery.store.ts';

/** Sends an event without data to one subscription only. */
export async function sendTest(work: Work, subscriptionId: string): Promise<() => Json> {
  const { subAccountId, now } = work;
  const subscription = await lockSubscription(work, subscriptionId);
  subscription.pausedUntil = null;
  const eventId = newId(now);
  work.write(INSERT_TEST_EVENT, [subAccountId, eventId, TEST_EVENT, now]);
  work.audit(subscriptionId);
  return queueAttempt(work, { subscriptionId, eventId, event: TEST_EVENT, attempt: 1 });
}

/** Without a position, so that the feed does not contain it. */
const INSERT_TEST_EVENT = `insert into events (sub_account_id, id, name, data, occurred_at)
  values ($1, $2, $3, '{}', $4)`;
