import { type JobContext, handle } from '#core/job.ts';
import { withLease } from '#platform/database/lease.ts';
import { endAgentSubscription } from '../agents/end-subscription.ts';
import { closeAllPending } from '../subscriptions/close-deliveries.ts';
import { closeScheduled, disableFailing } from '../subscriptions/disable.ts';
import {
  ALWAYS_FAILED,
  type DisabledReason,
  RECEIVER_GONE,
} from '../subscriptions/disabled-notice.ts';
import {
  type AttemptQueue,
  dueAttempts,
  newEvents,
  nextDue,
  openAttemptQueue,
} from './attempt-queue.ts';
import {
  type SubscriptionLease,
  type Target,
  acquireLease,
  askAgain,
  heldBy,
  releaseLease,
  subscriptionLease,
  watchTarget,
} from './lease.ts';
import { deliverWebhooks, queueDelivery } from './webhooks.jobs.ts';
import { inParallel } from '#lib/in-parallel.ts';
import {
  type Attempt,
  type AttemptResult,
  attemptDelivery,
  type UnsentAttempt,
} from './attempt-delivery.ts';
import { type Health, after, isGivenUp, requestsAtOnce } from '../subscriptions/health.ts';
import { failUnrecorded } from './fail-unrecorded.ts';
import { recordAttempts, SETTLE_AT } from './record-attempts.ts';

/**
 * Serves one subscription for a time slice. If the worker is killed, every attempt that was not
 * recorded is made again, with the same event id.
 */
export const handleDeliverWebhooks = handle(
  deliverWebhooks,
  (payload, context) =>
    serveLeased(payload, context, (target, lease) => serveUnlessPaused(target, context, lease)),
  (payload, context) =>
    serveLeased(payload, context, async (target) => ({
      pauseMs: null,
      isMore: await failUnrecorded(target, context),
    })),
);

/** Acquires the lease of a subscription, serves it, and queues the next job. */
async function serveLeased(
  { subAccountId, subscriptionId }: Pick<SubscriptionLease, 'subAccountId' | 'subscriptionId'>,
  context: JobContext,
  serve: (target: Target, lease: SubscriptionLease) => Promise<SliceResult> | SliceResult,
): Promise<void> {
  const view = context.openView(subAccountId, context.clock());
  const lease = { subAccountId, subscriptionId, holder: context.actor.requestId };
  const target = await acquireLease(view, context.tools.secrets, lease);
  if (target === 'leased') {
    await queueAfterLease(lease, context);
  }
  if (target === 'leased' || target === 'gone') {
    return;
  }
  if (await endAgentSubscription(target, context)) {
    return;
  }
  await queueNext(target, lease, await serve(target, lease), context);
}

function serveUnlessPaused(
  target: Target,
  context: JobContext,
  lease: SubscriptionLease,
): Promise<SliceResult> | SliceResult {
  return target.pauseMs !== null
    ? { pauseMs: target.pauseMs, isMore: true }
    : withLease(subscriptionLease, heldBy(lease), context, () =>
        serveSubscription(target, context),
      );
}

/**
 * Queues a job for the end of another job's lease, under the key of the subscription. A holder that
 * ends its lease waits for this and moves that job to now: in the other order, the job would come ten
 * seconds late. If the holder has died or was dropped from the queue, no other job would deliver the
 * events of this one.
 */
async function queueAfterLease(
  lease: SubscriptionLease,
  { transact, actor }: JobContext,
): Promise<void> {
  await transact(lease.subAccountId, actor, async (work) => {
    const isLeased = await askAgain(work, lease);
    const waitMs = isLeased ? subscriptionLease.durationMs : undefined;
    queueDelivery(work, lease.subscriptionId, { waitMs });
  });
}

/** Queues the next job if work is left, and ends the lease in the same transaction. */
async function queueNext(
  target: Target,
  lease: SubscriptionLease,
  { pauseMs, isMore }: SliceResult,
  { transact, actor }: JobContext,
): Promise<void> {
  await transact(target.subAccountId, actor, async (work) => {
    const { askedAgain, ended } = await releaseLease(work, lease);
    // Attempts that failed since then have queued further attempts.
    if (ended === 'deleted') {
      await closeAllPending(work, target.subscriptionId);
    } else if (ended === 'disabled') {
      closeScheduled(work, target.subscriptionId);
    }
    const isDue = isMore || askedAgain;
    const runAt = isDue ? undefined : await nextDue(work, target);
    if (isDue || runAt) {
      queueDelivery(
        work,
        target.subscriptionId,
        pauseMs === null ? { runAt } : { waitMs: pauseMs },
      );
    }
  });
}

/** The length of a time slice; then the next subscription gets the worker. */
const SLICE_MS = 5_000;
const DUE_MAX = 1_000;
const NEW_MAX = 500;
const SETTLE_EVERY_MS = 100;

const GONE = 410;
const TOO_LARGE = 413;
/** The receiver of an agent refuses an event for good with these (SEP-3415). */
const FINAL_OF_AGENTS = [GONE, TOO_LARGE];

/** The state after a time slice. No attempt is made for `pauseMs`. */
export interface SliceResult extends Pick<Health, 'pauseMs'> {
  readonly isMore: boolean;
}

/** Attempts due deliveries, then new events, until none is left or the slice is over. */
async function serveSubscription(target: Target, context: JobContext): Promise<SliceResult> {
  const { clock, settings, tools, signal } = context;
  const until = clock().getTime() + SLICE_MS;
  const { subAccountId } = target;
  const viewNow = () => context.openView(subAccountId, clock());
  let health: Health = { ...target, pauseMs: null };
  let disableReason: DisabledReason | undefined;
  let hasConnections = true;
  const watch = watchTarget(viewNow, target);
  const queue = openAttemptQueue({
    due: await dueAttempts(viewNow(), target, DUE_MAX),
    from: target.position,
    readNew: target.isActive ? (from) => newEvents(viewNow(), target, from, NEW_MAX) : undefined,
    isOver: () =>
      disableReason !== undefined ||
      !hasConnections ||
      health.pauseMs !== null ||
      watch.isChanged() ||
      clock().getTime() > until,
  });
  // The reason concerns the URL that was called, not a URL that has replaced it since.
  const isEnding = () => disableReason !== undefined && !watch.isChanged();
  const deps = { outbound: tools.outbound, clock, timeoutMs: settings.webhookTimeout, signal };
  await inParallel<Attempt, AttemptResult | UnsentAttempt>({
    next() {
      const checking = watch.check();
      return checking ? checking.then(() => queue.next()) : queue.next();
    },
    async act(attempt) {
      const result = await attemptDelivery(target, attempt, deps);
      signal.throwIfAborted();
      queue.finished(attempt);
      if (isUnsent(result)) {
        hasConnections = false;
        return result;
      }
      health = after(health, result.succeeded);
      disableReason ??= reasonToDisable(target, result, health);
      return result;
    },
    atOnce: requestsAtOnce(target),
    settle: (results) => settle(target, context, { results, health, queue, isEnding: isEnding() }),
    settleEveryMs: SETTLE_EVERY_MS,
    settleAt: SETTLE_AT,
  });
  await settle(target, context, { results: [], health, queue, isEnding: false });
  if (disableReason !== undefined && isEnding() && target.isActive) {
    await disableFailing(target, context, disableReason);
  }
  return { pauseMs: health.pauseMs, isMore: queue.isMore() };
}

/** Returns the reason to disable the subscription, if there is one. */
function reasonToDisable(
  { agent }: Target,
  { responseStatus }: AttemptResult,
  health: Health,
): DisabledReason | undefined {
  // SEP-3415: the receiver of an agent refuses one event with 410.
  if (responseStatus === GONE && !agent) {
    return RECEIVER_GONE;
  }
  return isGivenUp(health) ? ALWAYS_FAILED : undefined;
}

const isUnsent = (result: AttemptResult | UnsentAttempt): result is UnsentAttempt =>
  'isUnsent' in result;

const isMade = (result: AttemptResult | UnsentAttempt): result is AttemptResult =>
  !isUnsent(result);

interface SettleInput {
  readonly results: readonly (AttemptResult | UnsentAttempt)[];
  readonly health: Health;
  readonly queue: AttemptQueue;
  /** Whether the subscription is about to be disabled: failed attempts are not repeated. */
  readonly isEnding: boolean;
}

async function settle(
  { subAccountId, subscriptionId, position, agent }: Target,
  { transact, actor, settings }: JobContext,
  { results, health: { pauseMs }, queue, isEnding }: SettleInput,
): Promise<void> {
  const servedTo = queue.servedTo();
  if (results.length > 0 || servedTo > position) {
    const steps = isEnding ? [] : settings.webhookRetries;
    await transact(subAccountId, actor, async (work) =>
      recordAttempts(work, {
        subscriptionId,
        results: results.filter(isMade),
        unsent: results.filter(isUnsent),
        position: servedTo,
        steps,
        pauseMs,
        finalStatuses: agent ? FINAL_OF_AGENTS : [],
      }),
    );
  }
}
