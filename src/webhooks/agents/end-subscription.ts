import type { JobContext } from '#core/job.ts';
import type { Target } from '../deliveries/lease.ts';
import { deleteSubscription } from '../subscriptions/delete-subscription.ts';
import { accessIssue } from './agent-access.ts';
import { controlRequest } from './agent-request.ts';

const READ_MAX_BYTES = 8_000;
/** The error of SEP-3415 for access that was taken away. */
const FORBIDDEN = -32_012;

/**
 * Deletes the subscription of an agent that has expired, or whose key may not see the events any more,
 * and tells the receiver about lost access. Returns whether it has ended.
 */
export async function endAgentSubscription(target: Target, context: JobContext): Promise<boolean> {
  const { agent, subAccountId, subscriptionId, events } = target;
  if (!agent) {
    return false;
  }
  const { transact, actor, openView, clock } = context;
  const issue = agent.isExpired
    ? undefined
    : await accessIssue(openView(subAccountId, clock()), agent.keyId, events);
  if (!agent.isExpired && issue === undefined) {
    return false;
  }
  if (issue !== undefined) {
    await sendTerminated(target, agent.handle, issue, context);
  }
  await transact(subAccountId, actor, (work) => deleteSubscription(work, subscriptionId));
  return true;
}

/** Sent once: a receiver that misses it learns the same when it refreshes the subscription. */
async function sendTerminated(
  { url, userAgent, keys }: Target,
  handle: string,
  reason: string,
  { tools, settings, signal, clock }: JobContext,
): Promise<void> {
  const error = { code: FORBIDDEN, message: 'Forbidden', data: { reason } };
  const control = { type: 'terminated', handle, userAgent, keys, now: clock() } as const;
  await tools.outbound.send({
    url,
    method: 'POST',
    isRepeatable: true,
    ...controlRequest(control, { error }),
    timeoutMs: settings.webhookTimeout,
    readMaxBytes: READ_MAX_BYTES,
    signal,
  });
}
