import type { Work } from '#core/work.ts';

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
