import type { Work } from '#core/work.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';

/** Deletes a draft. It has no recipients yet. */
export async function deleteDraft(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft'], 'deleted');
  work.em.remove(campaign);
}
