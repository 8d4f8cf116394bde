import type { View } from '#core/work.ts';
import { defineLease } from '#platform/database/lease.ts';

/** The exclusive right of one job run to send the campaign mails of a sub-account. */
export interface MailingLease {
  readonly subAccountId: string;
  /** New for every run: identifies the recipients that the run has claimed. */
  readonly holder: string;
}

export const mailingLease = defineLease({
  table: 'campaign_turns',
  keys: ['sub_account_id'],
  holder: 'turn',
  until: 'turn_until',
  durationS: 5,
});

/** The parameters of the lease's statements: key and holder. */
export const heldBy = ({ subAccountId, holder }: MailingLease) => [subAccountId, holder];

/**
 * Acquires the lease of the view's sub-account. Returns undefined if another run has it. Recipients
 * that were claimed under an earlier lease become `unknown`: their mails may have been sent.
 */
export async function acquireMailingLease(view: View): Promise<MailingLease | undefined> {
  const lease = { subAccountId: view.subAccountId, holder: crypto.randomUUID() };
  const acquired = await view.rows(ACQUIRE, heldBy(lease));
  if (acquired.length === 0) {
    return undefined;
  }
  await view.rows(GIVE_UP_CLAIMED, heldBy(lease));
  return lease;
}

const ACQUIRE = mailingLease.acquireOrInsert('select $1::uuid as sub_account_id', '$2::uuid');

const GIVE_UP_CLAIMED = `update campaign_recipients set status = 'unknown', settled_at = now()
  where sub_account_id = $1 and status = 'sending' and claimed_by <> $2`;
