import type { Work } from '#core/work.ts';
import type { CampaignCreate } from './campaign.schema.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';
import { resolveContent } from './create-campaign.ts';

/** Replaces the content of a draft, with a new copy of its layout. */
export async function updateCampaign(work: Work, id: string, input: CampaignCreate): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft'], 'changed');
  const content = await resolveContent(work, input);
  work.em.assign(campaign, { ...content, updatedAt: work.now });
}
