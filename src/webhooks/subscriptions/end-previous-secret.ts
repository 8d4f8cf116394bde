import type { Work } from '#core/work.ts';
import { lockSubscription } from './subscription.store.ts';

/** Ends the grace period of a rotation: deliveries are signed with the current secret alone. */
export async function endPreviousSecret(work: Work, id: string): Promise<void> {
  const subscription = await lockSubscription(work, id);
  if (subscription.previousUntil === null) {
    return;
  }
  subscription.previousSecret = null;
  subscription.previousUntil = null;
  subscription.updatedAt = work.now;
  work.audit(id);
}
