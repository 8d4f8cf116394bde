import { policyOf, type AgentPolicy } from '#core/agent.ts';
import type { EventType } from '#core/event.ts';
import { riskOf, type KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { Fault, invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { bearerKey, scopeRefusal, type Admitted } from '#platform/http/admission.ts';
import { approvalUrl } from '../approvals/approval-link.ts';
import { askApproval } from '../approvals/ask-approval.ts';
import { findApprovalOfCall, type ApprovalRow } from '../approvals/approval.store.ts';
import { runApproved } from '../approvals/run-approved.ts';
import { summarizeCall } from '../approvals/summarize-call.ts';
import { ApprovedBefore, withdrawApproval } from '../approvals/withdraw-approval.ts';
import { withLocalTimes } from '../results/local-times.ts';
import { refusalOf } from '../results/refusal.ts';
import { hasId, idArgument, refuseMissingIds, type Arguments } from '../tools/action.ts';
import { FIND_ACTION, RUN_ACTION, type Catalogue } from '../tools/catalogue.ts';
import { findActions, mayUse, QUERY_MAX } from '../tools/find-action.ts';
import { refuseUnknown, type Tool } from '../tools/tool.ts';
import { callHash } from './call-hash.ts';
import { dryRunCall } from './dry-run-call.ts';
import {
  chargeRead,
  prepareCall,
  runCall,
  type AgentDeps,
  type AgentSession,
  type PreparedCall,
} from './in-process.ts';
import type { AgentWrite, OnceResponse } from './run-once.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';

/** What agents call with. */
export interface Agents {
  readonly deps: AgentDeps;
  readonly catalogue: Catalogue;
  /** The events that agents can follow. */
  readonly events: readonly EventType[];
  readonly runOnce: (write: AgentWrite) => Promise<OnceResponse>;
  /** Turns what was thrown into a Fault, and logs bugs. */
  readonly faultOf: (error: unknown, requestId: string) => Fault;
}

/** The structured content of a result. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** One call of a tool, with its flags apart from its arguments. */
interface ToolCall {
  readonly tool: Tool;
  readonly endpoint: KeyedEndpoint;
  readonly given: Arguments;
  readonly dryRun: boolean;
  readonly repeat: boolean;
  /** Returns what equal calls have in common. It takes time for large arguments. */
  readonly hash: () => string;
}

const DEFAULT_ZONE = 'UTC';

/** Calls a tool as the key of the session. Refusals are results, too. Never rejects. */
export async function callTool(
  agents: Agents,
  session: AgentSession,
  tool: Tool,
  input: Arguments,
): Promise<ToolResult> {
  let timezone = DEFAULT_ZONE;
  try {
    const admitted = await agents.deps.identify(bearerKey(session.authorization));
    const policy = policyOf(admitted.agentPolicy);
    refuseUnknown(tool.inputSchema, input);
    if (tool.name === FIND_ACTION) {
      await chargeRead(agents.deps, session);
      const usable = [...agents.catalogue.actions.values()];
      const open = usable.filter((one) => mayUse(one, admitted.scopes, policy));
      return { actions: findActions(open, queryOf(input)) };
    }
    const call = toolCallOf(agents.catalogue, tool, input);
    refuseDisallowed(call, admitted, policy);
    refuseMissingIds(call.endpoint, call.given);
    const prepared = await prepareCall(agents.deps, session, call.endpoint, call.given);
    timezone = await zoneOf(agents, prepared);
    const result = await runPrepared(agents, call, prepared, policy);
    const { data } = call.endpoint;
    return 'data' in result
      ? { ...result, data: withLocalTimes(result['data'], { ...data }, timezone) }
      : result;
  } catch (error) {
    return { error: refusalOf(agents.faultOf(error, session.requestId), tool.name, timezone) };
  }
}

function queryOf({ query }: Arguments): string {
  if (typeof query !== 'string' || query.trim() === '') {
    throw invalidField('/query', 'is required: what to do, in a few words');
  }
  if (Array.from(query.slice(0, 2 * QUERY_MAX + 1)).length > QUERY_MAX) {
    throw invalidField('/query', `has more than ${QUERY_MAX} characters; say it in a few words`);
  }
  return query;
}

async function zoneOf({ deps }: Agents, { request }: PreparedCall): Promise<string> {
  const { subAccountId } = request.caller;
  if (subAccountId === AGENCY) {
    return DEFAULT_ZONE;
  }
  return zoneOfSubAccount(deps.openView(subAccountId, deps.clock()));
}

function toolCallOf(catalogue: Catalogue, tool: Tool, input: Arguments): ToolCall {
  const { dryRun, repeat, ...given } = input;
  const flags = { dryRun: flagOf('dryRun', dryRun), repeat: flagOf('repeat', repeat) };
  const isAction = tool.name === RUN_ACTION;
  const picked = isAction ? actionOf(catalogue, given) : tool.pick(given);
  // A record named by `id` is the same call as one named by `contactId`.
  const compared = isAction ? { ...given, arguments: picked.given } : given;
  return { tool, ...picked, ...flags, hash: () => callHash(tool.name, compared) };
}

function flagOf(name: string, value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean') {
    throw invalidField(`/${name}`, 'must be true or false');
  }
  return value === true;
}

/**
 * Returns the endpoint that `run_action` names. `id` also names the record of the path, as it does in
 * results and in the API.
 */
function actionOf(
  { actions }: Catalogue,
  { action, arguments: inner = {} }: Arguments,
): { readonly endpoint: KeyedEndpoint; readonly given: Arguments } {
  const endpoint = typeof action === 'string' ? actions.get(action) : undefined;
  if (!endpoint) {
    throw invalidField('/action', 'is not an action; find_action returns those that you can use');
  }
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
    throw invalidField('/arguments', 'must be an object');
  }
  const { id, ...rest } = inner as Readonly<Record<string, unknown>>;
  if (id === undefined || !hasId(endpoint)) {
    return { endpoint, given: inner as Arguments };
  }
  const name = idArgument(endpoint);
  if (Object.hasOwn(rest, name)) {
    throw invalidField('/arguments/id', `is the same argument as ${name}; give only ${name}`);
  }
  return { endpoint, given: { [name]: id, ...rest } };
}

/** Throws FORBIDDEN before the arguments are checked, as the API refuses a scope before a body. */
function refuseDisallowed({ endpoint }: ToolCall, admitted: Admitted, policy: AgentPolicy): void {
  const refusal = scopeRefusal(endpoint.access, admitted);
  if (refusal) {
    throw refusal;
  }
  const risk = riskOf(endpoint);
  if (policy[risk] === 'deny') {
    throw new Fault(
      'FORBIDDEN',
      `agents with this key may not use ${endpoint.id}: its risk is "${risk}", which the policy of the key denies`,
      { reason: 'denied_by_policy', risk },
    );
  }
}

async function runPrepared(
  agents: Agents,
  call: ToolCall,
  prepared: PreparedCall,
  policy: AgentPolicy,
): Promise<ToolResult> {
  const { deps } = agents;
  const { endpoint } = call;
  const isRead = endpoint.rate === 'read';
  const mustAsk = policy[riskOf(endpoint)] === 'ask';
  // A dry run of a read would return what a person has not approved yet.
  if (mustAsk && (isRead || !call.dryRun)) {
    return askFirst(agents, call, prepared);
  }
  if (isRead) {
    return envelopeOf((await runCall(deps, prepared)).text);
  }
  if (call.dryRun) {
    const { response, effects } = await dryRunCall(deps, prepared);
    return { ...envelopeOf(response.text), dryRun: true, effects };
  }
  return runAllowed(agents, call, prepared);
}

/** Runs a write that needs no approval. The policy may have asked for one when it was called before. */
async function runAllowed(
  { deps, catalogue, runOnce }: Agents,
  { hash: hashOf, repeat }: ToolCall,
  prepared: PreparedCall,
): Promise<ToolResult> {
  const { keyId } = prepared.request.caller;
  const hash = hashOf();
  const prepare = (work: Work) => withdrawApproval(work, { keyId, hash, repeat });
  try {
    const { text, repeated } = await runOnce({ call: prepared, hash, repeat, prepare });
    return { ...envelopeOf(text), ...(repeated && { repeated: true }) };
  } catch (error) {
    if (error instanceof ApprovedBefore) {
      const approvals = { ...deps, actions: catalogue.callable };
      return outcomeOf(deps, await runApproved(approvals, error.approval));
    }
    throw error;
  }
}

const envelopeOf = (text: string | Buffer): ToolResult => JSON.parse(text.toString()) as ToolResult;

/** Returns the outcome of an approval of this call, or asks for one. */
async function askFirst(
  { deps, catalogue }: Agents,
  { tool, endpoint, given, hash: hashOf, repeat }: ToolCall,
  prepared: PreparedCall,
): Promise<ToolResult> {
  const hash = hashOf();
  const { caller, actor } = prepared.request;
  const { subAccountId, keyId } = caller;
  const view = deps.openView(subAccountId, deps.clock());
  const earlier = await findApprovalOfCall(view, keyId, hash);
  if (earlier && (earlier.status === 'pending' || !repeat)) {
    return outcomeOf(deps, await runApproved({ ...deps, actions: catalogue.callable }, earlier));
  }
  const { effects } = await dryRunCall(deps, prepared);
  const approval = await askApproval(deps, actor, {
    subAccountId,
    keyId,
    client: actor.client ?? '',
    hash,
    tool: tool.name,
    operation: endpoint.id,
    given,
    risk: riskOf(endpoint),
    summary: await summarizeCall(view, endpoint, given),
    effects,
  });
  return outcomeOf(deps, approval);
}

function outcomeOf({ baseUrl }: AgentDeps, approval: ApprovalRow): ToolResult {
  const { id, status, summary, effects, expiresAt, response } = approval;
  switch (status) {
    case 'pending':
      return {
        status: 'awaiting_approval',
        approvalId: id,
        summary,
        effects,
        url: approvalUrl(baseUrl(), approval),
        expiresAt,
      };
    case 'approved':
      return approvedOutcome(id, response);
    case 'denied':
    case 'expired':
      throw new Fault('FORBIDDEN', `the approval of this call was ${status}`, {
        reason: `approval_${status}`,
        approvalId: id,
      });
  }
}

function approvedOutcome(id: string, response: string | null): ToolResult {
  const { error, ...envelope } = JSON.parse(response ?? '{}') as ToolResult & {
    readonly error?: { readonly code: never; readonly message: string; readonly details?: object };
  };
  if (error) {
    throw new Fault(error.code, error.message, { ...error.details, approvalId: id });
  }
  return { ...envelope, status: 'approved', approvalId: id };
}
