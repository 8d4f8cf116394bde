import type { JobContext } from '#core/job.ts';
import { queueNotice } from '../../accounts/team/notify-admins.ts';
import type { Target } from '../deliveries/lease.ts';
import { disableSubscription } from './disable-subscription.ts';

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
