import type { Ended, Target } from '../deliveries/lease.ts';
import { regionOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { queueNotice } from '../../accounts/team/team.jobs.ts';
import type { JobContext } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { disabledNotice, type DisabledReason } from './disabled-notice.ts';

/** Disables the subscription of a failing receiver and notifies the sub-account's admins. */
export async function disableFailing(
  { subAccountId, subscriptionId, url }: Pick<Target, 'subAccountId' | 'subscriptionId' | 'url'>,
  { transact, actor }: JobContext,
  reason: DisabledReason,
): Promise<void> {
  await transact(subAccountId, actor, async (work) => {
    disableSubscription(work, subscriptionId, reason);
    work.audit(subscriptionId);
    const { locale } = await regionOfSubAccount(work);
    queueNotice(work, disabledNotice(url, reason, locale));
  });
}

/** Disables a subscription. Pending scheduled attempts fail, manual ones are still made. */
export function disableSubscription(work: Work, subscriptionId: string, reason: string): void {
  const { subAccountId, now } = work;
  work.write(DISABLE, [subAccountId, subscriptionId, reason, now]);
  closeScheduled(work, subscriptionId);
}

const DISABLE = `update webhook_subscriptions
  set status = 'disabled', disabled_reason = $3, updated_at = $4, paused_until = null
  where sub_account_id = $1 and id = $2 and status = 'active'`;

/** The error of an attempt that was not made because its subscription was disabled or deleted. */
export const closedError = (ended: Ended): string => `the subscription was ${ended}`;

/** Fails the pending scheduled attempts of a disabled subscription. */
export function closeScheduled(work: Work, subscriptionId: string): void {
  work.write(CLOSE, [work.subAccountId, subscriptionId, closedError('disabled')]);
}

const CLOSE = `update webhook_deliveries
  set status = 'failed', error = $3, next_attempt_at = null
  where sub_account_id = $1 and subscription_id = $2 and status = 'pending'
    and trigger = 'scheduled'`;
