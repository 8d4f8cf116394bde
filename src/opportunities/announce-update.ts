import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/about-contact.ts';
import type { LiveOpportunity } from './lock-opportunity.ts';
import { opportunityUpdated } from './opportunity.events.ts';

/** Dates the change of a locked opportunity and fires `opportunity.updated` for it. */
export async function announceUpdate(
  work: Work,
  opportunity: LiveOpportunity,
  changedFields: readonly string[],
): Promise<void> {
  const { id, contactId, pipelineId, name, value = null, status } = opportunity;
  opportunity.updatedAt = work.now;
  work.audit(id);
  await work.emit(opportunityUpdated, {
    ...(await aboutContact(work, contactId)),
    data: { opportunityId: id, pipelineId, name, value, status, changedFields: [...changedFields] },
  });
}
