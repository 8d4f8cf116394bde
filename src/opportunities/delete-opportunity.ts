import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { lockOpportunity } from './opportunity.store.ts';
import { opportunityDeleted } from './opportunity.events.ts';

/** Soft-deletes an opportunity. */
export async function deleteOpportunity(work: Work, id: string): Promise<void> {
  const opportunity = await lockOpportunity(work, id);
  const { contactId, pipelineId, name } = opportunity;
  opportunity.deletedAt = work.now;
  opportunity.updatedAt = work.now;
  work.audit(id);
  await work.emit(opportunityDeleted, {
    ...(await aboutContact(work, contactId)),
    data: { opportunityId: id, pipelineId, name },
  });
}
