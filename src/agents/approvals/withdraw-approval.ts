import type { Work } from '#core/work.ts';
import { findApprovalOfCall, type ApprovalRow } from './approval.store.ts';

/** A person has approved an equal call: its outcome is the one of this call. */
export class ApprovedBefore extends Error {
  readonly approval: ApprovalRow;

  constructor(approval: ApprovalRow) {
    super();
    this.approval = approval;
  }
}

interface AllowedCall {
  readonly keyId: string;
  readonly hash: string;
  /** Runs also after an equal call that was approved. */
  readonly repeat: boolean;
}

/**
 * Ends the approval that an equal call waits for, in the transaction of a call that the policy allows by
 * now: a later decision must not run it a second time. Throws ApprovedBefore.
 */
export async function withdrawApproval(
  work: Work,
  { keyId, hash, repeat }: AllowedCall,
): Promise<void> {
  const open = await work.rows(LOCK_OPEN, [work.subAccountId, keyId, hash]);
  if (open.length === 0) {
    return;
  }
  const approval = await findApprovalOfCall(work, keyId, hash);
  const hasFailed = (approval?.responseStatus ?? 0) >= 400;
  if (approval?.status === 'approved' && !repeat && !hasFailed) {
    throw new ApprovedBefore(approval);
  }
  if (approval?.status === 'pending') {
    work.write(WITHDRAW, [work.subAccountId, approval.id, work.now]);
  }
}

const LOCK_OPEN = `select id from agent_approvals
  where sub_account_id = $1 and key_id = $2 and call_hash = $3
    and decision in ('pending', 'approved')
  order by id for update`;

const WITHDRAW = `update agent_approvals set decision = 'expired', decided_at = $3
  where sub_account_id = $1 and id = $2 and decision = 'pending'`;
