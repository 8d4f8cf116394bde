import type { Risk } from '#core/agent.ts';
import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import type { Actor, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import type { CallDeps } from '#platform/http/call/checks.ts';
import { regionOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { queueNotice } from '../../accounts/team/team.jobs.ts';
import type { Arguments } from '../tools/action.ts';
import { approvalLink } from './approval-link.ts';
import { approvalNotice } from './approval-notice.ts';
import { APPROVAL_MS, findApprovalOfCall, type ApprovalRow } from './approval.store.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';

/** A call that a person has to approve. */
export interface ApprovalRequest {
  readonly subAccountId: string;
  readonly keyId: string;
  readonly client: string;
  readonly hash: string;
  readonly tool: string;
  readonly operation: string;
  readonly given: Arguments;
  readonly risk: Risk;
  readonly summary: string;
  readonly effects: Effects;
}

/**
 * Stores the call and mails the admins a link. Returns the approval, or the approval of an identical
 * call that was faster.
 */
export async function askApproval(
  deps: Pick<CallDeps, 'transact' | 'baseUrl' | 'tools'>,
  actor: Actor,
  request: ApprovalRequest,
): Promise<ApprovalRow> {
  const { subAccountId, keyId, hash } = request;
  const { transact, baseUrl, tools } = deps;
  // The audit trail has no second row of the call: it has not run yet.
  const asking = { ...actor, operation: 'approvals.request' };
  return transact(subAccountId, asking, async (work) => {
    await lockTexts(work, JSON.stringify(['approval', subAccountId, keyId, hash]));
    const earlier = await findApprovalOfCall(work, keyId, hash);
    if (earlier?.status === 'pending') {
      return earlier;
    }
    const id = newId(work.now);
    await insert(work, id, request);
    work.audit(id);
    const url = approvalLink(tools.secrets, baseUrl(), { subAccountId, id });
    const { locale } = await regionOfSubAccount(work);
    queueNotice(work, approvalNotice({ ...request, url, locale }));
    return (await findApprovalOfCall(work, keyId, hash)) as ApprovalRow;
  });
}

async function insert(work: Work, id: string, request: ApprovalRequest): Promise<void> {
  const { keyId, client, hash, tool, operation, given, risk, summary, effects } = request;
  await work.rows(INSERT, [
    work.subAccountId,
    id,
    keyId,
    client,
    hash,
    tool,
    operation,
    JSON.stringify(given),
    risk,
    summary,
    JSON.stringify(effects),
    work.now,
    new Date(work.now.getTime() + APPROVAL_MS),
  ]);
}

const INSERT = `insert into agent_approvals (sub_account_id, id, key_id, client, call_hash, tool,
    operation, arguments, risk, summary, effects, decision, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11::jsonb, 'pending', $12, $13)`;
