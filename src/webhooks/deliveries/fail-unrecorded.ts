import type { JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { ENDED_ITS_WORKERS } from '#platform/queue/give-up.ts';
import { disableFailing } from '../subscriptions/disable.ts';
import { AT_ONCE } from '../subscriptions/health.ts';
import { failedAttempt } from './attempt-delivery.ts';
import { dueAttempts, newEvents } from './attempt-queue.ts';
import type { Target } from './lease.ts';
import { recordAttempts, SETTLE_AT } from './record-attempts.ts';

/** At most this many attempts were made and not recorded. */
const UNRECORDED_MAX = AT_ONCE + SETTLE_AT;

/**
 * Continues a subscription whose job has ended several workers. An event or a response may have ended
 * them, or something else, such as a machine without free memory. So every attempt that may have been
 * under way has failed and is made again later, while newer events are delivered. If this happens again
 * before a delivery succeeds, the subscription is disabled. Returns whether deliveries may be left.
 */
export async function failUnrecorded(target: Target, context: JobContext): Promise<boolean> {
  const { subAccountId, subscriptionId } = target;
  const at = context.clock();
  const view = context.openView(subAccountId, at);
  if (target.isActive && (await hasEndedWorkers(view, target, context))) {
    await disableFailing(target, context, ENDED_ITS_WORKERS);
    return false;
  }
  const { attempts, position } = await unrecordedAttempts(view, target);
  const results = attempts.map((attempt) =>
    failedAttempt(target, attempt, {
      id: attempt.id ?? newId(at),
      at,
      durationMs: 0,
      error: ENDED_ITS_WORKERS,
    }),
  );
  await context.transact(subAccountId, context.actor, async (work) =>
    recordAttempts(work, {
      subscriptionId,
      results,
      position,
      steps: context.settings.webhookRetries,
      pauseMs: null,
    }),
  );
  return true;
}

/** Due attempts are made before new events; a disabled subscription gets none of these. */
async function unrecordedAttempts(view: View, target: Target) {
  const due = await dueAttempts(view, target, UNRECORDED_MAX);
  const atMost = UNRECORDED_MAX - due.length;
  if (!target.isActive || atMost === 0) {
    return { attempts: due, position: target.position };
  }
  const fresh = await newEvents(view, target, target.position, atMost);
  return { attempts: [...due, ...fresh.attempts], position: fresh.readTo };
}

/**
 * Returns whether an earlier job of the subscription was given up since its last success. This one may
 * be given up again, if a worker dies meanwhile.
 */
async function hasEndedWorkers(
  view: View,
  { subscriptionId, lastSuccessAt }: Target,
  { queuedAt }: JobContext,
): Promise<boolean> {
  const values = [view.subAccountId, subscriptionId, ENDED_ITS_WORKERS, lastSuccessAt, queuedAt];
  const found = await view.rows(ENDED_BEFORE, values);
  return found.length > 0;
}

const ENDED_BEFORE = `select from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and error = $3
    and created_at > coalesce($4::timestamptz, '-infinity') and created_at <= $5
  limit 1`;
