import type { Work } from '#core/work.ts';
import { closeAllPending } from './close-deliveries.ts';
import { lockSubscription } from './subscription.store.ts';

/** Deletes a subscription: its secrets at once, its log after 30 days. No further attempt begins. */
export async function deleteSubscription(work: Work, id: string): Promise<void> {
  const subscription = await lockSubscription(work, id);
  subscription.deletedAt = work.now;
  subscription.updatedAt = work.now;
  subscription.secret = Buffer.alloc(0);
  subscription.previousSecret = null;
  subscription.previousUntil = null;
  await closeAllPending(work, id);
  work.audit(id);
}
