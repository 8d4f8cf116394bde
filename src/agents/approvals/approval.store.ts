import type { Risk } from '#core/agent.ts';
import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import { AGENCY } from '#lib/id.ts';

/** How long a person may decide. */
export const APPROVAL_MS = DAY_MS;
/** How long the agent learns the outcome. */
const APPROVAL_KEPT_MS = 30 * DAY_MS;

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;

type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** An approval as lists show it. */
export interface ApprovalRow {
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly tool: string;
  /** The id of the endpoint. */
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly risk: Risk;
  readonly summary: string;
  readonly effects: Effects;
  readonly keyId: string;
  /** Null once the key is deleted. */
  readonly keyName: string | null;
  readonly client: string;
  readonly subAccountId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  /** The status and envelope of the call; null until it has run. */
  readonly responseStatus: number | null;
  readonly response: string | null;
}

const STATUS = `case when a.decision = 'pending' and a.expires_at <= $1 then 'expired' else a.decision end`;

const SELECT = `select a.id, a.tool, a.operation, a.arguments, a.risk, a.summary, a.effects,
    a.key_id as "keyId", k.name as "keyName", a.client, a.sub_account_id as "subAccountId",
    ${STATUS} as status,
    ${isoText('a.created_at')} as "createdAt", ${isoText('a.expires_at')} as "expiresAt",
    a.decided_by as "decidedBy", ${isoText('a.decided_at')} as "decidedAt",
    a.response_status as "responseStatus", a.response
  from agent_approvals a left join api_keys k on k.id = a.key_id`;

interface ApprovalFilter {
  readonly subAccountId?: string | undefined;
  readonly statuses?: readonly ApprovalStatus[] | undefined;
  /** The id of the approval before the page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns the approvals of a sub-account, or of the installation, newest first. */
export const findApprovals = (
  view: View,
  { subAccountId, statuses, before, limit }: ApprovalFilter,
): Promise<ApprovalRow[]> =>
  view.rows(
    `${SELECT} where ($2::uuid is null or a.sub_account_id = $2)
       and ($4::text[] is null or ${STATUS} = any($4))
       and ($5::uuid is null or a.id < $5)
     order by a.id desc limit $3`,
    [view.now, subAccountId ?? null, limit, statuses ?? null, before ?? null],
  );

/** Returns an approval of the view's sub-account; of any, if the view is of the installation. */
export async function findApproval(view: View, id: string): Promise<ApprovalRow | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const owner = view.subAccountId === AGENCY ? null : view.subAccountId;
  const [row] = await view.rows<ApprovalRow>(
    `${SELECT} where a.id = $2 and ($3::uuid is null or a.sub_account_id = $3)`,
    [view.now, id, owner],
  );
  return row;
}

/** Returns the latest approval that a key asked for with an equal call. */
export async function findApprovalOfCall(
  view: View,
  keyId: string,
  hash: string,
): Promise<ApprovalRow | undefined> {
  const oldest = new Date(view.now.getTime() - APPROVAL_KEPT_MS);
  const [row] = await view.rows<ApprovalRow>(
    `${SELECT} where a.sub_account_id = $2 and a.key_id = $3 and a.call_hash = $4
       and a.created_at > $5
     order by a.id desc limit 1`,
    [view.now, view.subAccountId, keyId, hash, oldest],
  );
  return row;
}
