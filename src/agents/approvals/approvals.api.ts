import { Type } from 'typebox';
import { RISKS } from '#core/agent.ts';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import type { ConsoleCaller } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import { Fault, orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Tools } from '#core/tools.ts';
import type { View, Work } from '#core/work.ts';
import { recentSignInNeeded } from '#platform/http/session.ts';
import { isApprovalLink } from './approval-link.ts';
import {
  APPROVAL_STATUSES,
  findApproval,
  findApprovals,
  type ApprovalRow,
} from './approval.store.ts';
import { decideApproval, type Decision } from './decide-approval.ts';

const TOKEN_MAX = 200;

const row = s.response({
  id: s.uuid(),
  status: s.oneOf(APPROVAL_STATUSES),
  tool: Type.String({ examples: ['run_action'] }),
  operation: Type.String({ description: 'the id of the endpoint', examples: ['contacts.delete'] }),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  risk: s.oneOf(RISKS),
  summary: Type.String({ examples: ['Delete a contact'] }),
  effects: Type.Record(Type.String(), Type.Number(), {
    description: 'numbers of what the call would do, such as mails',
  }),
  keyId: s.uuid(),
  keyName: s.nullable(Type.String()),
  subAccountId: s.uuid(),
  client: Type.String({ description: 'the program of the agent, as it names itself' }),
  createdAt: s.isoTime(),
  expiresAt: s.isoTime(),
  decidedBy: s.nullable(Type.String()),
  decidedAt: s.nullable(s.isoTime()),
  outcome: s.nullable(s.oneOf(['done', 'refused'], { description: 'null until the call has run' })),
  refusal: s.nullable(Type.String({ description: 'why the call was refused when it ran' })),
});

const FIRST_REFUSAL = 400;

/** The row without the response of the call, which is for the agent. */
function shown(approval: ApprovalRow) {
  const { responseStatus, response, ...shared } = approval;
  const isRefused = responseStatus !== null && responseStatus >= FIRST_REFUSAL;
  const { error } = isRefused ? (JSON.parse(response ?? '{}') as ErrorEnvelope) : {};
  return {
    ...shared,
    outcome: responseStatus === null ? null : isRefused ? 'refused' : 'done',
    refusal: error?.message ?? null,
  };
}

interface ErrorEnvelope {
  readonly error?: { readonly message: string };
}

async function readApproval(view: View, id: string): Promise<ApprovalRow> {
  return orNotFound(await findApproval(view, id), 'approval');
}

const ofApproval = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readApproval(view, id),
};
const admin = memberRole('admin');

/** Throws NOT_FOUND, `prove_again` for a call that reaches many people, or `already_decided`. */
async function decide(
  { work, caller }: { readonly work: Work; readonly caller: ConsoleCaller },
  id: string,
  decision: Decision,
) {
  const { risk } = await readApproval(work, id);
  if (risk === 'mass' && !caller.isRecent) {
    throw recentSignInNeeded();
  }
  await decideApproval(work, id, decision);
  return { data: async (view: View) => shown(await readApproval(view, id)) as never };
}

function refuseForeignLink(tools: Tools, view: View, id: string, token: string | undefined): void {
  const { subAccountId } = view;
  if (token !== undefined && !isApprovalLink(tools.secrets, { subAccountId, id }, token)) {
    throw new Fault('FORBIDDEN', 'Frontdesk did not mail this link for this approval', {
      reason: 'foreign_link',
    });
  }
}

/** Calls of agents that wait for the decision of a person, or did. */
export const approvalEndpoints = [
  defineConsoleEndpoint({
    id: 'approvals.list',
    method: 'GET',
    path: '/console/api/v1/approvals',
    summary: 'List the calls of agents that wait or waited for a decision',
    description: 'Newest first, of the last 30 days.',
    access: admin,
    rate: 'read',
    paged: true,
    query: s.request({
      ...pageQuery,
      status: Type.Optional(
        Type.Array(s.oneOf(APPROVAL_STATUSES), { minItems: 1, uniqueItems: true }),
      ),
    }),
    data: Type.Array(row),
    async read({ view, query, after: before }) {
      const size = pageSize(query);
      const { subAccountId } = view;
      const { status: statuses } = query;
      const found = await findApprovals(view, { subAccountId, statuses, before, limit: size + 1 });
      const page = found.slice(0, size);
      const next = found.length > size ? (page.at(-1)?.id ?? null) : null;
      return { data: page.map(shown), next };
    },
  }),
  defineConsoleEndpoint({
    id: 'approvals.get',
    method: 'GET',
    path: '/console/api/v1/approvals/:id',
    summary: 'Get a call of an agent that waits or waited for a decision',
    access: admin,
    rate: 'read',
    ...ofApproval,
    query: s.request({
      token: Type.Optional(
        Type.String({ maxLength: TOKEN_MAX, description: 'of the mailed link, which is checked' }),
      ),
    }),
    data: row,
    async read({ view, params: { id }, query: { token }, tools }) {
      refuseForeignLink(tools, view, id, token);
      return { data: shown(await readApproval(view, id)) };
    },
  }),
  defineConsoleEndpoint({
    id: 'approvals.approve',
    method: 'POST',
    path: '/console/api/v1/approvals/:id/approve',
    summary: 'Approve a call of an agent',
    description:
      'The call runs once, with the stored arguments, as a job. A call that reaches many people needs a sign-in within the last 10 minutes.',
    access: admin,
    rate: 'write',
    ...ofApproval,
    bodyOptional: true,
    data: row,
    write: ({ params: { id }, ...call }) => decide(call, id, 'approved'),
  }),
  defineConsoleEndpoint({
    id: 'approvals.deny',
    method: 'POST',
    path: '/console/api/v1/approvals/:id/deny',
    summary: 'Deny a call of an agent',
    description: 'A call that would reach many people needs a sign-in within the last 10 minutes.',
    access: admin,
    rate: 'write',
    ...ofApproval,
    bodyOptional: true,
    data: row,
    write: ({ params: { id }, ...call }) => decide(call, id, 'denied'),
  }),
];
