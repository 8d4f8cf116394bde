import type { Work } from '#core/work.ts';
import type { CampaignCreate } from './campaign.schema.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';
import { listOf } from './create-campaign.ts';
import { resolveLayout } from './compose/resolve-layout.ts';

/** Replaces the content of a draft, with a new copy of its layout. */
export async function updateCampaign(work: Work, id: string, input: CampaignCreate): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft'], 'changed');
  const layout = await resolveLayout(work, input.layout);
  const listId = await listOf(work, input.listId ?? undefined, layout);
  work.em.assign(campaign, {
    name: input.name,
    subject: input.subject,
    preheader: input.preheader ?? null,
    contentHtml: input.contentHtml,
    layout: input.layout,
    layoutHtml: layout.html,
    listId,
    updatedAt: work.now,
  });
}
