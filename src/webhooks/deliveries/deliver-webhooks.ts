import { type JobContext, handle } from '#core/job.ts';
import { withLease } from '#platform/database/lease.ts';
import { closePending, switchOff } from '../subscriptions/disable.ts';
import { type Reading, dueAttempts, newEvents, nextDue, openReading } from './next-attempts.ts';
import {
  type SubscriptionLease,
  type Target,
  acquireLease,
  heldBy,
  releaseLease,
  subscriptionLease,
  watchTarget,
} from './lease.ts';
import { deliverWebhooks, queueDelivery } from './webhooks.jobs.ts';
import { inParallel } from '#lib/in-parallel.ts';
import { type Attempt, type Made, attemptDelivery } from './attempt-delivery.ts';
import { type Health, after, isGivenUp, requestsAtOnce } from '../subscriptions/health.ts';
import { recordAttempts } from './record-attempts.ts';

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

/** After so long another subscription may be first. */
const SLICE_MS = 5_000;
const DUE_MAX = 1_000;
const NEWS_MAX = 500;
const SETTLE_EVERY_MS = 100;
const SETTLE_AT = 500;

const GONE = 410;

/** How it went: whether there is more to do, and before when nothing of it may be done. */
export interface Served extends Pick<Health, 'pausedUntil'> {
  readonly isMore: boolean;
}

/** Makes the attempts that are due and those of new events, until none is left or the time is over. */
export async function serveSubscription(target: Target, context: JobContext): Promise<Served> {
  const { clock, settings, tools, signal } = context;
  const until = clock().getTime() + SLICE_MS;
  const { subAccountId } = target;
  const viewNow = () => context.openView(subAccountId, clock());
  let health: Health = { ...target, pausedUntil: null };
  let verdict: string | undefined;
  const watch = watchTarget(viewNow, target);
  const reading = openReading({
    due: await dueAttempts(viewNow(), target, DUE_MAX),
    from: target.position,
    readNews: target.isActive ? (from) => newEvents(viewNow(), target, from, NEWS_MAX) : undefined,
    isOver: () =>
      verdict !== undefined ||
      health.pausedUntil !== null ||
      watch.isChanged() ||
      clock().getTime() > until,
  });
  // A verdict is on the receiver that was there, not on one that took its place meanwhile.
  const isEnding = () => verdict !== undefined && !watch.isChanged();
  const means = { outbound: tools.outbound, clock, timeoutMs: settings.webhookTimeout, signal };
  await inParallel<Attempt, Made>({
    async next() {
      await watch.check();
      return reading.next();
    },
    async act(attempt) {
      const made = await attemptDelivery(target, attempt, means);
      signal.throwIfAborted();
      reading.finished(attempt);
      health = after(health, made.succeeded, made.at);
      verdict ??= verdictOn(made, health);
      return made;
    },
    atOnce: requestsAtOnce(target),
    settle: (made) => settle(target, context, { made, health, reading, isEnding: isEnding() }),
    settleEveryMs: SETTLE_EVERY_MS,
    settleAt: SETTLE_AT,
  });
  await settle(target, context, { made: [], health, reading, isEnding: false });
  if (verdict !== undefined && isEnding() && target.isActive) {
    await switchOff(target, context, verdict);
  }
  return { pausedUntil: health.pausedUntil, isMore: reading.isMore() };
}

/** Why a receiver is to be sent nothing more. */
function verdictOn({ responseStatus, at }: Made, health: Health): string | undefined {
  if (responseStatus === GONE) {
    return 'the receiver answered 410 Gone';
  }
  return isGivenUp(health, at) ? 'every attempt failed for 5 days' : undefined;
}

interface Settling {
  readonly made: readonly Made[];
  readonly health: Health;
  readonly reading: Reading;
  /** Nothing is tried again. */
  readonly isEnding: boolean;
}

async function settle(
  { subAccountId, subscriptionId, position }: Target,
  { transact, actor, settings }: JobContext,
  { made, health: { pausedUntil }, reading, isEnding }: Settling,
): Promise<void> {
  const servedTo = reading.servedTo();
  if (made.length > 0 || servedTo > position) {
    const steps = isEnding ? [] : settings.webhookRetries;
    await transact(subAccountId, actor, async (work) =>
      recordAttempts(work, { subscriptionId, made, position: servedTo, steps, pausedUntil }),
    );
  }
}
