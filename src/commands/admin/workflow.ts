import { defineCommand } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { findOwner } from '../../accounts/sub-accounts/find-owner.ts';
import { findRunLog, findRuns } from '../../workflows/runs/find-runs.ts';
import { findWorkflows, type WorkflowRow } from '../../workflows/definition/find-workflows.ts';
import { RUN_STATUSES } from '../../workflows/definition/workflow.schema.ts';
import type { AdminContext } from '../context.ts';
import { existing, readCount } from './answers.ts';
import { liveSubAccount } from './live-sub-account.ts';
import { workflowTest } from './workflow-test.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;

const subAccount = {
  flag: '--sub-account <sub>',
  help: 'ID of the sub-account',
  required: true,
} as const;

const list = defineCommand<AdminContext>()({
  path: 'admin workflow list',
  summary: 'List workflows with their running and waiting counts',
  options: { subAccount },
  examples: ['frontdesk admin workflow list --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount }) {
    const rows = await findWorkflows(await viewOf(context, subAccount));
    const table = rows.map(({ slug, name, active, running, waiting, triggers, steps }) => {
      const on = triggers.map(({ on }) => on).join(', ');
      return { slug, name, active, on, steps: steps.length, running, waiting };
    });
    return { json: rows.map(withoutHeaders), table };
  },
});

const show = defineCommand<AdminContext>()({
  path: 'admin workflow show',
  summary: 'Show a workflow with its triggers and steps',
  arguments: ['slug'],
  options: { subAccount },
  examples: ['frontdesk admin workflow show new-lead --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { slug, subAccount }) {
    const [found] = await findWorkflows(await viewOf(context, subAccount), slug);
    return { json: withoutHeaders(existing(found, 'workflow', slug)) };
  },
});

/** Headers carry tokens, more often than not. */
const withoutHeaders = (row: WorkflowRow): WorkflowRow =>
  JSON.parse(
    JSON.stringify(row, (name, value: unknown) => (name === 'sealedHeaders' ? undefined : value)),
  ) as WorkflowRow;

const runs = defineCommand<AdminContext>()({
  path: 'admin workflow runs',
  summary: 'List workflow runs, newest first',
  options: {
    subAccount,
    workflow: { flag: '--workflow <slug>', help: 'only runs of this workflow' },
    contact: { flag: '--contact <id>', help: 'only runs of this contact' },
    status: {
      flag: '--status <status>',
      help: 'only runs with this status',
      choices: RUN_STATUSES,
    },
    limit: {
      flag: '--limit <n>',
      help: `maximum number of rows (default: ${LIMIT_DEFAULT})`,
      parse: readCount(LIMIT_MAX),
    },
  },
  examples: [
    'frontdesk admin workflow runs --sub-account 0198c0de-… --workflow new-lead --status waiting',
  ],
  context: 'service',
  async run(context, { subAccount, workflow: slug, contact, status, limit = LIMIT_DEFAULT }) {
    const view = await viewOf(context, subAccount);
    if (contact !== undefined) {
      const owner = await findOwner(view, 'contacts', contact);
      existing(owner === view.subAccountId ? owner : undefined, 'contact', contact);
    }
    const rows = await findRuns(view, { slug, status, contactId: contact, limit });
    const table = rows.map(({ id: run, workflow, status: state, place, dueAt, error, ...row }) => {
      return { id: run, workflow, status: state, place, dueAt, error, ...row };
    });
    return { json: rows, table };
  },
});

const runLog = defineCommand<AdminContext>()({
  path: 'admin workflow run-log',
  summary: 'Show the log of a workflow run',
  arguments: ['run'],
  options: {},
  examples: ['frontdesk admin workflow run-log 0198c0de-…'],
  context: 'service',
  async run(context, { run }) {
    const view = await viewOfRun(context, run);
    return { json: await findRunLog(view, run.toLowerCase()) };
  },
});

const cancel = defineCommand<AdminContext>()({
  path: 'admin workflow cancel',
  summary: 'Cancel a workflow run',
  arguments: ['run'],
  options: {},
  examples: ['frontdesk admin workflow cancel 0198c0de-…'],
  confirm: ({ run }) => `Cancel run ${run}?`,
  async question(context, { run }) {
    const [found] = await findRuns(await viewOfRun(context, run), {
      id: run.toLowerCase(),
      limit: 1,
    });
    const { workflow, status } = existing(found, 'run', run);
    return { text: `Cancel the ${status} run of workflow ${workflow}? It cannot be resumed.` };
  },
  context: 'service',
  async run(context, { run }) {
    const { subAccountId } = await viewOfRun(context, run);
    const { cancelRun } = await import('../../workflows/runs/cancel-runs.ts');
    const id = run.toLowerCase();
    await context.transact(subAccountId, context.actor, (work) => cancelRun(work, id));
    return { json: { id, status: 'cancelled' }, text: `${id} is cancelled` };
  },
});

async function viewOf(context: AdminContext, subAccount: string): Promise<View> {
  const { id } = await liveSubAccount(context, subAccount);
  return context.openView(id, context.clock());
}

async function viewOfRun({ openView, clock }: AdminContext, run: string): Promise<View> {
  const owner = await findOwner(openView(AGENCY, clock()), 'workflow_runs', run);
  return openView(existing(owner, 'run', run), clock());
}

export const workflowCommands = [list, show, runs, runLog, cancel, workflowTest];
