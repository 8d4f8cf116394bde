import { defineCommand } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import { jsonText } from '#core/schema/json.ts';
import { findSubAccount } from '../../accounts/sub-accounts/find-sub-accounts.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { findOwner } from '../../accounts/sub-accounts/find-owner.ts';
import { findWorkflows } from '../../workflows/definition/find-workflows.ts';
import { dryRunWorkflow } from '../../workflows/runs/dry-run.ts';
import { startRuns } from '../../workflows/triggers/start-runs.ts';
import type { AdminContext } from '../context.ts';
import { existing } from './answers.ts';

/** What begins a run that somebody asked for. */
const TRIGGER = 'test';

export const workflowTest = defineCommand<AdminContext>()({
  path: 'admin workflow test',
  summary: 'Start a workflow run for a contact, or print the steps it would take',
  arguments: ['slug'],
  options: {
    contact: { flag: '--contact <id>', help: 'ID of the contact', required: true },
    dryRun: { flag: '--dry-run', help: 'print the steps without running them' },
  },
  examples: ['frontdesk admin workflow test new-lead --contact 0198c0de-… --dry-run'],
  confirm: ({ slug, contact, dryRun }) =>
    dryRun ? undefined : `Start a run of workflow ${slug} for contact ${contact}?`,
  context: 'service',
  async run({ openView, clock, transact, actor, log }, { slug, contact, dryRun = false }) {
    const agency = openView(AGENCY, clock());
    const owner = existing(await findOwner(agency, 'contacts', contact), 'contact', contact);
    const view = openView(owner, clock());
    const [workflow] = await findWorkflows(view, slug);
    const { id: workflowId, versionId, reenter, steps } = existing(workflow, 'workflow', slug);
    const contactId = contact.toLowerCase();
    if (dryRun) {
      const { timezone } = existing(await findSubAccount(agency, owner), 'sub-account', owner);
      const said = JSON.parse(jsonText(await readContact(view, contactId))) as object;
      const taken = dryRunWorkflow({ steps, contact: said, data: {}, timezone, now: view.now });
      return { json: { workflow: slug, contactId, steps: taken }, table: taken };
    }
    const start = { workflowId, slug, versionId, reenter, contactId, data: {} };
    const [runId] = await transact(owner, actor, async (work) => {
      const asked = { ...start, trigger: TRIGGER, depth: 0, sincePosition: null };
      const begun = await startRuns(work, [asked], log);
      begun.forEach((id) => work.audit(id));
      return begun;
    });
    if (runId === undefined) {
      throw new Fault('VALIDATION_ERROR', `${contactId} has a run of ${slug} already`);
    }
    return { json: { runId }, text: `run ${runId} has begun` };
  },
});
