import { queueNotice } from '../../accounts/team/team.jobs.ts';
import type { JobContext } from '#core/job.ts';
import type { Target } from '../deliveries/lease.ts';
import type { Work } from '#core/work.ts';

/** Sends a receiver that is gone nothing more, and tells the admins of its sub-account. */
export async function switchOff(
  { subAccountId, subscriptionId, url }: Target,
  { transact, actor }: JobContext,
  reason: string,
): Promise<void> {
  await transact(subAccountId, actor, async (work) => {
    disableSubscription(work, subscriptionId, reason);
    work.audit(subscriptionId);
    queueNotice(work, {
      subject: `Webhooks to ${new URL(url).host} are switched off`,
      text: textOf(url, reason),
    });
  });
}

const textOf = (url: string, reason: string): string =>
  `Frontdesk has stopped sending webhooks to

  ${url}

because ${reason}.

Once the receiver is well again, set the subscription's status to "active"; what happened meanwhile
can be sent again with: frontdesk admin delivery replay
`;

/** Sends a subscription nothing more; attempts that wait are closed, but for those asked for by hand. */
export function disableSubscription(work: Work, subscriptionId: string, reason: string): void {
  const { subAccountId, now } = work;
  work.write(DISABLE, [subAccountId, subscriptionId, reason, now]);
  closePending(work, subscriptionId, 'disabled');
}

const DISABLE = `update webhook_subscriptions
  set status = 'disabled', disabled_reason = $3, updated_at = $4, paused_until = null
  where sub_account_id = $1 and id = $2 and status = 'active'`;

/** Why a subscription is sent nothing more. */
export type Ended = 'disabled' | 'deleted';

/** Gives up the attempts that wait; of a disabled subscription not those that were asked for by hand. */
export function closePending(work: Work, subscriptionId: string, ended: Ended): void {
  work.write(CLOSE, [work.subAccountId, subscriptionId, ended]);
}

const CLOSE = `update webhook_deliveries
  set status = 'failed', error = 'the subscription was ' || $3::text, next_attempt_at = null
  where sub_account_id = $1 and subscription_id = $2 and status = 'pending'
    and ($3 = 'deleted' or trigger = 'scheduled')`;
