import { findOwner } from '../../accounts/sub-accounts/sub-account.store.ts';
import { defineCommand } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { findWorkflows, withoutHeaders } from '../../workflows/definition/find-workflows.ts';
import { RUN_STATUSES } from '../../workflows/definition/workflow.schema.ts';
import { cancelRun } from '../../workflows/runs/cancel-runs.ts';
import { dryRunForContact } from '../../workflows/runs/dry-run.ts';
import { findRunLog, findRuns } from '../../workflows/runs/find-runs.ts';
import { lockListener } from '../../workflows/triggers/listeners.ts';
import { FROM_OUTSIDE } from '../../workflows/runs/effects.ts';
import { startRuns } from '../../workflows/triggers/start-runs.ts';
import type { AdminContext } from '../open-admin.ts';
import {
  contactOption,
  existing,
  knownContact,
  subAccountOption,
  LIMIT_DEFAULT,
  limitOption,
  viewOf,
  viewOfOwner,
} from './answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin workflow list',
  summary: 'List workflows with their running and waiting counts',
  options: { subAccount: subAccountOption },
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
  options: { subAccount: subAccountOption },
  examples: ['frontdesk admin workflow show new-lead --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { slug, subAccount }) {
    const [found] = await findWorkflows(await viewOf(context, subAccount), slug);
    return { json: withoutHeaders(existing(found, 'workflow', slug)) };
  },
});

const runs = defineCommand<AdminContext>()({
  path: 'admin workflow runs',
  summary: 'List workflow runs, newest first',
  options: {
    subAccount: subAccountOption,
    workflow: { flag: '--workflow <slug>', help: 'only runs of this workflow' },
    contact: contactOption('runs'),
    status: {
      flag: '--status <status>',
      help: 'only runs with this status',
      choices: RUN_STATUSES,
    },
    limit: limitOption(),
  },
  examples: [
    'frontdesk admin workflow runs --sub-account 0198c0de-… --workflow new-lead --status waiting',
  ],
  context: 'service',
  async run(context, { subAccount, workflow: slug, contact, status, limit = LIMIT_DEFAULT }) {
    const view = await viewOf(context, subAccount);
    const contactId = await knownContact(context, view, contact);
    const rows = await findRuns(view, { slug, status, contactId, limit });
    const table = rows.map(({ id: run, workflow, status: state, place, dueAt, error, ...row }) => {
      return { id: run, workflow, status: state, place, dueAt, error, ...row };
    });
    return { json: rows, table, limit };
  },
});

const runLog = defineCommand<AdminContext>()({
  path: 'admin workflow run-log',
  summary: 'Show the log of a workflow run',
  arguments: ['run'],
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
    const id = run.toLowerCase();
    await context.transact(subAccountId, context.actor, (work) => cancelRun(work, id));
    return { json: { id, status: 'cancelled' }, text: `cancelled run ${id}` };
  },
});

const viewOfRun = (context: AdminContext, run: string): Promise<View> =>
  viewOfOwner(context, { table: 'workflow_runs', noun: 'run', id: run });

/** The trigger of runs that this command starts. */
const TRIGGER = 'test';

const workflowTest = defineCommand<AdminContext>()({
  path: 'admin workflow test',
  summary: 'Start a workflow run for a contact, or print the steps it would take',
  arguments: ['slug'],
  options: {
    contact: { flag: '--contact <id>', help: 'ID of the contact', required: true },
    dryRun: { flag: '--dry-run', help: 'print the steps without running them' },
  },
  examples: ['frontdesk admin workflow test new-lead --contact 0198c0de-… --dry-run'],
  confirmWhen: 'without `--dry-run`',
  confirm: ({ slug, contact, dryRun }) =>
    dryRun ? undefined : `Start a run of workflow ${slug} for contact ${contact}?`,
  context: 'service',
  async run({ openView, clock, transact, actor, log }, { slug, contact, dryRun = false }) {
    const agency = openView(AGENCY, clock());
    const owner = existing(await findOwner(agency, 'contacts', contact), 'contact', contact);
    const view = openView(owner, clock());
    const [workflow] = await findWorkflows(view, slug);
    const { id: workflowId } = existing(workflow, 'workflow', slug);
    const contactId = contact.toLowerCase();
    if (dryRun) {
      const taken = await dryRunForContact(view, existing(workflow, 'workflow', slug), contactId);
      const table = taken.map(({ place, step, at, says }) => ({
        position: place,
        step,
        at,
        result: says,
      }));
      return { json: { workflow: slug, contactId, steps: taken }, table };
    }
    const [runId] = await transact(owner, actor, async (work) => {
      const { versionId, reenter } = existing(
        await lockListener(work, workflowId),
        'workflow',
        slug,
      );
      const start = { workflowId, slug, versionId, reenter, contactId, data: {} };
      const request = { ...start, trigger: TRIGGER, ...FROM_OUTSIDE, sincePosition: null };
      const started = await startRuns(work, [request], log);
      started.forEach((id) => work.audit(id));
      return started;
    });
    if (runId === undefined) {
      throw new Fault(
        'VALIDATION_ERROR',
        `contact ${contactId} already has a run of workflow ${slug}; cancel it first with frontdesk admin workflow cancel`,
      );
    }
    return { json: { runId }, text: `started run ${runId}` };
  },
});

export const workflowCommands = [list, show, runs, runLog, cancel, workflowTest];
