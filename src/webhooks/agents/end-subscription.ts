import type { JobContext } from '#core/job.ts';
import type { Work } from '#core/work.ts';
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
  return transact(subAccountId, actor, (work) =>
    endUnlessRefreshed(work, subscriptionId, issue !== undefined),
  );
}

/** The agent may have refreshed or ended the subscription since its expiry was read. */
async function endUnlessRefreshed(
  work: Work,
  id: string,
  hasLostAccess: boolean,
): Promise<boolean> {
  const [row] = await work.rows<{ isServed: boolean }>(LOCK, [
    work.subAccountId,
    id,
    hasLostAccess,
  ]);
  if (row?.isServed === true) {
    return false;
  }
  if (row) {
    await deleteSubscription(work, id);
  }
  return true;
}

const LOCK = `select not $3 and (expires_at is null or expires_at > now()) as "isServed"
  from webhook_subscriptions
  where sub_account_id = $1 and id = $2 and deleted_at is null for no key update`;

/** Not repeated: a receiver that misses it learns the same when it refreshes the subscription. */
async function sendTerminated(
  { subAccountId, url, userAgent, keys }: Target,
  handle: string,
  reason: string,
  { tools, settings, signal, clock }: JobContext,
): Promise<void> {
  const error = { code: FORBIDDEN, message: 'Forbidden', data: { reason } };
  const control = { type: 'terminated', handle, userAgent, keys, now: clock() } as const;
  await tools.outbound.send({
    subAccountId,
    url,
    method: 'POST',
    isRepeatable: true,
    ...controlRequest(control, { error }),
    timeoutMs: settings.webhookTimeout,
    readMaxBytes: READ_MAX_BYTES,
    signal,
  });
}
