import { handle, type JobContext } from '#core/job.ts';
import { withLease } from '#platform/database/lease.ts';
import { closePending } from './close-pending.ts';
import { nextDue } from './due-attempts.ts';
import { serveSubscription, type Served } from './serve-subscription.ts';
import {
  acquireLease,
  heldBy,
  releaseLease,
  subscriptionLease,
  type SubscriptionLease,
  type Target,
} from './lease.ts';
import { deliverWebhooks, queueDelivery } from './webhooks.jobs.ts';

/**
 * Serves one subscription for a while. Everything that it has not recorded when it is killed is sent
 * again, with the same event ids.
 */
export const handleDeliverWebhooks = handle(
  deliverWebhooks,
  async ({ subAccountId, subscriptionId }, context) => {
    const view = context.openView(subAccountId, context.clock());
    const lease = { subAccountId, subscriptionId, holder: context.actor.requestId };
    const target = await acquireLease(view, context.tools.secrets, lease);
    if (!target) {
      return;
    }
    const isPaused = target.pausedUntil !== null && target.pausedUntil > view.now;
    const served = isPaused
      ? { pausedUntil: target.pausedUntil, isMore: true }
      : await withLease(subscriptionLease, heldBy(lease), context, () =>
          serveSubscription(target, context),
        );
    await queueNext(target, lease, served, context);
  },
);

/** Queues the next job where work is left, and ends the lease in the same transaction. */
async function queueNext(
  target: Target,
  lease: SubscriptionLease,
  { pausedUntil, isMore }: Served,
  { transact, actor, clock }: JobContext,
): Promise<void> {
  await transact(target.subAccountId, actor, async (work) => {
    const { askedAgain, ended } = await releaseLease(work, lease);
    if (ended) {
      // What failed since then wrote down when it would be tried again.
      closePending(work, target.subscriptionId, ended);
    }
    const due = isMore || askedAgain ? clock() : await nextDue(work, target);
    const at = due && (pausedUntil ?? due);
    if (at) {
      queueDelivery(work, target.subscriptionId, at);
    }
  });
}
