import type { Work } from '#kit/work.ts';
import { lockSubscription } from './lock-subscription.ts';

/** Soft delete: the log stays for its 30 days, the secrets go at once. */
export async function deleteSubscription(work: Work, id: string): Promise<void> {
  const subscription = await lockSubscription(work, id);
  subscription.deletedAt = work.now;
  subscription.updatedAt = work.now;
  subscription.secret = Buffer.alloc(0);
  subscription.previousSecret = null;
  subscription.previousUntil = null;
  work.write(CLOSE_PENDING, [work.subAccountId, id]);
  work.touch(id);
}

const CLOSE_PENDING = `update webhook_deliveries
  set status = 'failed', error = 'the subscription was deleted', next_attempt_at = null
  where sub_account_id = $1 and subscription_id = $2 and status = 'pending'`;
