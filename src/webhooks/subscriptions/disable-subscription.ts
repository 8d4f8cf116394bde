import type { Work } from '#core/work.ts';
import { closePending } from '../deliveries/close-pending.ts';

/** Sends a subscription nothing more; attempts that wait are closed, but for those asked for by hand. */
export function disableSubscription(work: Work, subscriptionId: string, reason: string): void {
  const { subAccountId, now } = work;
  work.write(DISABLE, [subAccountId, subscriptionId, reason, now]);
  closePending(work, subscriptionId, 'disabled');
}

const DISABLE = `update webhook_subscriptions
  set status = 'disabled', disabled_reason = $3, updated_at = $4, paused_until = null
  where sub_account_id = $1 and id = $2 and status = 'active'`;
