import type { Work } from '#core/work.ts';
import { closePending } from './disable.ts';
import { lockSubscription } from './subscription.store.ts';

/** Soft delete: the log stays for 30 days, the secrets are deleted at once. */
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
