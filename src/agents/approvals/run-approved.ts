import { policyOf } from '#core/agent.ts';
import { riskOf, type Caller, type KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { Fault } from '#core/fault.ts';
import { handle, type JobHandler } from '#core/job.ts';
import { parseRate, type Rate } from '#core/rate-limit.ts';
import type { Actor, Transact, View, Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import type { CallDeps } from '#platform/http/call/checks.ts';
import { withoutSecrets } from '#platform/http/idempotency.ts';
import { errorText } from '#platform/http/response.ts';
import { findKey, type KeyRow } from '../../accounts/keys/api-key.store.ts';
import { isSandboxKind } from '../../accounts/keys/key-value.ts';
import { findSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { countEffects } from '../calls/count-effects.ts';
import { requestOf, runCall } from '../calls/in-process.ts';
import { storing } from '../calls/run-once.ts';
import { runApproval } from './approvals.jobs.ts';
import { findApproval, type ApprovalRow } from './approval.store.ts';
import { refuseGrowth } from './refuse-growth.ts';

/** Endpoints by their ids. */
type Actions = ReadonlyMap<string, KeyedEndpoint>;

/** Finds the endpoint that an approved call uses. */
interface ApprovalDeps extends CallDeps {
  readonly actions: Actions;
}

/** Returns the handler that runs approved calls; `actions` are derived when the first one runs. */
export const handleRunApproval = (actions: () => Actions): JobHandler =>
  handle(runApproval, async ({ subAccountId, approvalId }, context) => {
    const { openView, clock, tools, settings, attempt } = context;
    const approval = await findApproval(openView(subAccountId, clock()), approvalId);
    if (!approval) {
      return;
    }
    const deps = {
      ...context,
      openListView: openView,
      baseUrl: () => settings.baseUrl,
      cursorSecret: tools.secrets.derive('cursors'),
      actions: actions(),
    };
    try {
      await runApproved(deps, approval);
    } catch (error) {
      if (attempt < runApproval.maxAttempts) {
        throw error;
      }
      context.log.warn({ err: error, approvalId }, 'an approved call failed');
      const failed = new Fault('INTERNAL_ERROR', 'the call failed; nothing was changed');
      await storeRefusal(context.transact, approval, failed);
    }
  });

/**
 * Runs an approved call with its stored arguments, unless it has run. Its response, or the refusal, is
 * stored in the same transaction. Returns the approval.
 */
export async function runApproved(deps: ApprovalDeps, approval: ApprovalRow): Promise<ApprovalRow> {
  const { subAccountId, id } = approval;
  const look = async (): Promise<ApprovalRow> => {
    const found = await findApproval(deps.openView(subAccountId, deps.clock()), id);
    return found ?? approval;
  };
  if (approval.status !== 'approved' || approval.response !== null) {
    return approval;
  }
  try {
    const { endpoint, caller } = await requireAllowed(deps, approval);
    const admission = { caller, granted: Number.MAX_SAFE_INTEGER };
    const session = { client: approval.client, requestId: id };
    const request = requestOf(endpoint, approval.arguments, session, admission);
    const call = { endpoint, given: approval.arguments, request };
    const transact = storing(deps.transact, {
      claim: (work) => claim(work, id),
      async store(view, response) {
        refuseGrowth(approval.effects, await countEffects(view, call, response));
        await endpoint.agent?.keepApproved?.(view, request.params, approval.effects);
        const text = withoutSecrets(endpoint, response.text.toString());
        await view.rows(STORE, [subAccountId, id, response.status, text]);
      },
    });
    const { status, text } = await runCall({ ...deps, transact }, call);
    // A read has no transaction: its response is stored by itself.
    if (endpoint.rate === 'read') {
      await deps.transact(subAccountId, actorOf(approval), async (work) => {
        work.write(STORE, [subAccountId, id, status, text]);
      });
    }
  } catch (error) {
    if (error instanceof HasRun) {
      return look();
    }
    if (!(error instanceof Fault)) {
      throw error;
    }
    await storeRefusal(deps.transact, approval, error);
  }
  return look();
}

const actorOf = ({ id, keyId, client, operation }: ApprovalRow): Actor => ({
  kind: 'agent',
  name: keyId,
  client,
  requestId: id,
  operation,
});

async function storeRefusal(
  transact: Transact,
  approval: ApprovalRow,
  fault: Fault,
): Promise<void> {
  const { subAccountId, id } = approval;
  await transact(subAccountId, actorOf(approval), async (work) => {
    work.write(STORE, [subAccountId, id, fault.status, errorText(fault)]);
  });
}

/** Another process has run the call. */
class HasRun extends Error {}

async function claim(work: Work, id: string): Promise<undefined> {
  const [free] = await work.rows(CLAIM, [work.subAccountId, id]);
  if (!free) {
    throw new HasRun();
  }
}

const CLAIM = `select id from agent_approvals
  where sub_account_id = $1 and id = $2 and decision = 'approved' and response is null for update`;

const STORE = `update agent_approvals set response_status = $3, response = $4
  where sub_account_id = $1 and id = $2 and response is null`;

/** Throws if the key may no longer make the call: an agency key stays when a sub-account is closed. */
async function requireAllowed(
  deps: ApprovalDeps,
  { keyId, operation, subAccountId }: ApprovalRow,
): Promise<{ readonly endpoint: KeyedEndpoint; readonly caller: Caller }> {
  const view: View = deps.openView(AGENCY, deps.clock());
  const key = await findKey(view, keyId);
  const subAccount = await findSubAccount(view, subAccountId);
  const endpoint = deps.actions.get(operation);
  if (!key || key.state !== 'active') {
    throw new Fault('FORBIDDEN', 'the API key that asked for this does not work any more');
  }
  if (!subAccount || subAccount.deletedAt !== null) {
    throw new Fault('FORBIDDEN', 'the sub-account of this call was closed');
  }
  if (!endpoint || !mayCall(key, endpoint)) {
    throw new Fault('FORBIDDEN', `the API key that asked for this may no longer use ${operation}`);
  }
  return { endpoint, caller: callerOf(key, subAccountId) };
}

const mayCall = ({ scopes, agentPolicy }: KeyRow, endpoint: KeyedEndpoint): boolean =>
  policyOf(agentPolicy)[riskOf(endpoint)] !== 'deny' &&
  (endpoint.access.kind !== 'key' || scopes.includes(endpoint.access.scope));

/** The call was counted when the agent made it. */
const UNCOUNTED: Rate = { limit: 1, windowMs: 1_000 };

const callerOf = (key: KeyRow, subAccountId: string): Caller => ({
  keyId: key.id,
  keyPrefix: key.prefix,
  sandbox: isSandboxKind(key.kind),
  subAccountId,
  rates: {
    read: parseRate(key.rateRead ?? '') ?? UNCOUNTED,
    write: parseRate(key.rateWrite ?? '') ?? UNCOUNTED,
  },
});
