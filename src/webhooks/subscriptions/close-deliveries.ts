import { handle, keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { closeDeliveries } from '../deliveries/webhooks.jobs.ts';
import { closedError } from './disable.ts';

/** Few enough for a request: attempts of a receiver that failed for long are many. */
const BATCH = 1_000;

/** Fails pending attempts of a deleted subscription: the first ones at once, the others in a job. */
export async function closeAllPending(work: Work, subscriptionId: string): Promise<void> {
  if (await closeBatch(work, subscriptionId)) {
    const payload = { subAccountId: work.subAccountId, subscriptionId };
    work.enqueue(closeDeliveries, payload, { key: keyOf(closeDeliveries, payload) });
  }
}

export const handleCloseDeliveries = handle(
  closeDeliveries,
  async ({ subAccountId, subscriptionId }, { transact, actor, signal }) => {
    let isMore = true;
    while (isMore) {
      signal.throwIfAborted();
      isMore = await transact(
        subAccountId,
        actor,
        // An import may have restored the subscription since.
        async (work) =>
          (await isDeleted(work, subscriptionId)) && (await closeBatch(work, subscriptionId)),
      );
    }
  },
);

async function isDeleted(work: Work, id: string): Promise<boolean> {
  const [deleted] = await work.rows(DELETED, [work.subAccountId, id]);
  return deleted !== undefined;
}

const DELETED = `select from webhook_subscriptions
  where sub_account_id = $1 and id = $2 and deleted_at is not null`;

/** Returns whether more attempts may be pending. */
async function closeBatch(work: Work, subscriptionId: string): Promise<boolean> {
  const values = [work.subAccountId, subscriptionId, closedError('deleted'), BATCH];
  const [row] = await work.rows<{ found: number }>(CLOSE_BATCH, values);
  return row?.found === BATCH;
}

/** An array, not a join: with outdated statistics, PostgreSQL would compare each row with each other. */
const CLOSE_BATCH = `with found as materialized (
    select id from webhook_deliveries
    where sub_account_id = $1 and subscription_id = $2 and status = 'pending' limit $4
  ), closed as (
    update webhook_deliveries set status = 'failed', error = $3, next_attempt_at = null
    where sub_account_id = $1 and id = any(array(select id from found)) and status = 'pending'
  )
  select count(*)::int as found from found`;
