import type { Work } from '#core/work.ts';
import { closePending } from './disable.ts';
import { lockSubscription } from './subscription.store.ts';

/** Deletes a subscription: its secrets at once, its log after 30 days. */
export async function deleteSubscription(work: Work, id: string): Promise<void> {
  const subscription = await lockSubscription(work, id);
  subscription.deletedAt = work.now;
  subscription.updatedAt = work.now;
  subscription.secret = Buffer.alloc(0);
  subscription.previousSecret = null;
  subscription.previousUntil = null;
  closePending(work, id, 'deleted');
  work.audit(id);
}
