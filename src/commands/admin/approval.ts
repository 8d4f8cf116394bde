import { defineCommand } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { baseUrlOf } from '#platform/config/environment.ts';
import { agentCatalogue } from '#registry/agents.ts';
import { recordLines } from '#platform/cli/output.ts';
import { findSubAccount, zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import {
  findApproval,
  findApprovals,
  type ApprovalRow,
} from '../../agents/approvals/approval.store.ts';
import { describeArguments } from '../../agents/approvals/describe-arguments.ts';
import { decideApproval, type Decision } from '../../agents/approvals/decide-approval.ts';
import { runApproved } from '../../agents/approvals/run-approved.ts';
import type { AdminContext } from '../open-admin.ts';
import { existing, LIMIT_DEFAULT, limitOption, onlySubAccount } from './answers.ts';

const LIMIT_MAX = 1_000;

const list = defineCommand<AdminContext>()({
  path: 'admin approval list',
  summary: 'List the calls of agents that wait or waited for a decision, newest first',
  options: {
    subAccount: onlySubAccount('approvals'),
    limit: limitOption(LIMIT_DEFAULT, LIMIT_MAX),
  },
  examples: [
    'frontdesk admin approval list',
    'frontdesk admin approval list --sub-account 0198c0de-…',
  ],
  context: 'service',
  async run({ openView, clock }, { subAccount, limit = LIMIT_DEFAULT }) {
    const view = openView(AGENCY, clock());
    if (subAccount !== undefined) {
      existing(await findSubAccount(view, subAccount), 'sub-account', subAccount);
    }
    const rows = await findApprovals(view, { subAccountId: subAccount, limit });
    const table = rows.map(({ id, status, summary, client, expiresAt }) => {
      return { id, status, summary, client, expiresAt };
    });
    return { json: rows.map(withResponse), table, below: 'summary', limit };
  },
});

const show = defineCommand<AdminContext>()({
  path: 'admin approval show',
  summary: 'Show a call of an agent with all of its arguments',
  arguments: ['id'],
  examples: ['frontdesk admin approval show 0198c0de-…'],
  context: 'service',
  async run(context, { id }) {
    const row = await existingApproval(context, id);
    const { status, operation, arguments: _, response, subAccountId, ...rest } = row;
    const { summary, risk, effects, keyName, client, createdAt, expiresAt } = rest;
    const { decidedBy, decidedAt, responseStatus } = rest;
    return {
      json: withResponse(row),
      table: {
        id: row.id,
        status,
        summary,
        action: operation,
        ...(await argumentLines(context, row)),
        risk,
        effects,
        subAccountId,
        keyName,
        client,
        createdAt,
        expiresAt,
        decidedBy,
        decidedAt,
        responseStatus,
        response,
      },
    };
  },
});

const existingApproval = async ({ openView, clock }: AdminContext, id: string) =>
  existing(await findApproval(openView(AGENCY, clock()), id), 'approval', id);

/** Returns every argument of a call by a name of two words, with the names of records and local times. */
async function argumentLines(
  { openView, clock }: AdminContext,
  { subAccountId, operation, arguments: given }: ApprovalRow,
): Promise<Record<string, string>> {
  const view = openView(subAccountId, clock());
  const endpoint = agentCatalogue().callable.get(operation);
  const timezone = await zoneOfSubAccount(view);
  const described = endpoint
    ? await describeArguments(view, { endpoint, given, timezone })
    : Object.entries(given).map(([name, value]) => ({ name, value, meaning: undefined }));
  return Object.fromEntries(
    described.map(({ name, value, meaning }) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [`argument ${name}`, meaning === undefined ? text : `${text} (${meaning})`];
    }),
  );
}

const approve = defineCommand<AdminContext>()({
  path: 'admin approval approve',
  summary: 'Approve a call of an agent, which runs at once and once',
  arguments: ['id'],
  examples: [
    'frontdesk admin approval approve 0198c0de-…',
    'frontdesk admin approval approve 0198c0de-… --yes',
  ],
  confirm: 'Approve this call?',
  confirmOnTerminal: true,
  async question(context, { id }) {
    const row = await existingApproval(context, id);
    const { summary, operation, effects, keyName, client } = row;
    const lines = await argumentLines(context, row);
    const by = `${client}, key ${keyName ?? '–'}`;
    const table = { summary, action: operation, ...lines, effects, 'asked by': by };
    return { text: 'Approve this call?', details: recordLines(table) };
  },
  context: 'service',
  async run(context, { id }) {
    const row = await runApproved(approvalDeps(context), await decide(context, id, 'approved'));
    const done = (row.responseStatus ?? 0) < FIRST_REFUSAL;
    const text = done
      ? `approved and done: ${row.summary}`
      : `approved, but refused: ${row.response}`;
    return { json: withResponse(row), text };
  },
});

const FIRST_REFUSAL = 400;

const deny = defineCommand<AdminContext>()({
  path: 'admin approval deny',
  summary: 'Deny a call of an agent',
  arguments: ['id'],
  examples: ['frontdesk admin approval deny 0198c0de-…'],
  context: 'service',
  async run(context, { id }) {
    const row = await decide(context, id, 'denied');
    return { json: withResponse(row), text: `denied: ${row.summary}` };
  },
});

async function decide(context: AdminContext, id: string, decision: Decision): Promise<ApprovalRow> {
  const { transact, actor } = context;
  const { subAccountId } = await existingApproval(context, id);
  return transact(
    subAccountId,
    actor,
    (work) => decideApproval(work, id, decision),
    async (after) => existing(await findApproval(after, id), 'approval', id),
  );
}

const approvalDeps = (context: AdminContext) => ({
  ...context,
  baseUrl: () => baseUrlOf(processEnvironment()),
  cursorSecret: context.secrets.derive('cursors'),
  actions: agentCatalogue().callable,
});

/** The row with the response of the call as JSON. */
const withResponse = ({ response, ...row }: ApprovalRow) => ({
  ...row,
  response: response === null ? null : (JSON.parse(response) as unknown),
});

export const approvalCommands = [list, show, approve, deny];
