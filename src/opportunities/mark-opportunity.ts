import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/about-contact.ts';
import { opportunityLost, opportunityWon } from './opportunity.events.ts';
import type { StatusChange } from './opportunity.schema.ts';
import { setOpportunityStatus } from './set-opportunity-status.ts';

/**
 * Sets the status as a person at the desk does: becoming won or lost fires `opportunity.won` or
 * `opportunity.lost` besides `opportunity.updated`, which through the API it does not.
 */
export async function markOpportunity(work: Work, id: string, change: StatusChange): Promise<void> {
  const { opportunity, changedFields } = await setOpportunityStatus(work, id, change);
  if (!changedFields.includes('status')) {
    return;
  }
  const { contactId, pipelineId, name: title, value = null, lostReason = null } = opportunity;
  const about = await aboutContact(work, contactId);
  const data = { opportunityId: id, pipelineId, title, value };
  if (change.status === 'won') {
    await work.emit(opportunityWon, { ...about, data });
  } else if (change.status === 'lost') {
    await work.emit(opportunityLost, { ...about, data: { ...data, lostReason } });
  }
}
