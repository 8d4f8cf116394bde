import { Fault, notFound } from '#core/fault.ts';
import { keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { runApproval } from './approvals.jobs.ts';
import type { Occurrence } from '#core/event.ts';

export type Decision = 'approved' | 'denied';

/**
 * Decides about a pending approval. An approved call runs in a job: it is neither lost nor repeated if
 * the process that decides is killed. Throws NOT_FOUND, or `already_decided`.
 */
export async function decideApproval(work: Work, id: string, decision: Decision): Promise<void> {
  const [row] = await work.rows<{ decision: string; expired: boolean }>(LOCK, [
    work.subAccountId,
    id,
    work.now,
  ]);
  if (!row) {
    throw notFound('approval');
  }
  if (row.decision !== 'pending' || row.expired) {
    throw alreadyDecided(row.expired ? 'expired' : row.decision);
  }
  work.write(DECIDE, [work.subAccountId, id, decision, work.actor.name, work.now]);
  work.audit(id);
  if (decision === 'approved') {
    const payload = { subAccountId: work.subAccountId, approvalId: id };
    work.enqueue(runApproval, payload, { key: keyOf(runApproval, payload) });
  }
}

const LOCK = `select decision, expires_at <= $3 and decision = 'pending' as expired
  from agent_approvals where sub_account_id = $1 and id = $2 for update`;

const DECIDE = `update agent_approvals set decision = $3, decided_by = $4, decided_at = $5
  where sub_account_id = $1 and id = $2`;

const alreadyDecided = (status: string): Fault =>
  new Fault('ALREADY_DECIDED', `this approval is ${status} already; the first decision counts`, {
    reason: 'already_decided',
    status,
  });

/** Ends the approvals of a key that wait for a decision: the key may no longer do what it asked for. */
export async function voidApprovals(
  work: Work,
  { data: { keyId } }: Occurrence<{ readonly keyId: string }>,
): Promise<void> {
  if (work.subAccountId === AGENCY) {
    work.write(VOID, [keyId, work.now]);
  } else {
    work.write(`${VOID} and sub_account_id = $3`, [keyId, work.now, work.subAccountId]);
  }
}

/** In every sub-account, since an agency key reaches many. */
const VOID = `update agent_approvals set decision = 'expired', decided_at = $2
  where key_id = $1 and decision = 'pending'`;
