import { notFound } from '#core/fault.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { findSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { readContact } from '../../contacts/contact.store.ts';
import type { WorkflowRow } from '../definition/find-workflows.ts';
import { dryRunWorkflow, type DryRunStep } from './dry-run.ts';

/** Returns the steps that a run would take for a contact. Throws NOT_FOUND. */
export async function dryRunForContact(
  view: View,
  { steps }: WorkflowRow,
  contactId: string,
): Promise<DryRunStep[]> {
  const owner = await findSubAccount(view, view.subAccountId);
  if (!owner) {
    throw notFound('sub-account');
  }
  const contact = JSON.parse(jsonText(await readContact(view, contactId))) as object;
  const { timezone } = owner;
  return dryRunWorkflow({ steps, contact, data: {}, timezone, now: view.now });
}
