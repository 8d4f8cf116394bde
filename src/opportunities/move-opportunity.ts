import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { refuseUnknownStage } from './create-opportunity.ts';
import { lockOpportunity } from './opportunity.store.ts';
import { opportunityStageChanged } from './opportunity.events.ts';

/** Moves an opportunity to another stage of its pipeline. Moving to its own stage does nothing. */
export async function moveOpportunity(work: Work, id: string, toStageId: string): Promise<void> {
  const opportunity = await lockOpportunity(work, id);
  const { contactId, pipelineId, stageId: fromStageId, name: title } = opportunity;
  if (fromStageId === toStageId) {
    return;
  }
  opportunity.stageId = toStageId;
  opportunity.updatedAt = work.now;
  refuseUnknownStage(work);
  work.audit(id);
  await work.emit(opportunityStageChanged, {
    ...(await aboutContact(work, contactId)),
    data: { opportunityId: id, pipelineId, fromStageId, toStageId, title },
  });
}
