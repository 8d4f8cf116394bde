import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { CampaignSchedule } from './campaign.schema.ts';
import { lockCampaign, requireNoRun, requireStatus } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';

/** Schedules a draft. Its list may still be empty. */
export async function scheduleCampaign(
  work: Work,
  id: string,
  { scheduledAt }: CampaignSchedule,
): Promise<void> {
  const campaign = await lockCampaign(work, id);
  if (scheduledAt <= work.now.getTime()) {
    throw invalidField('/scheduledAt', 'must be in the future');
  }
  requireStatus(campaign, ['draft'], 'scheduled');
  await requireList(work, campaign);
  campaign.status = 'scheduled';
  campaign.scheduledAt = new Date(scheduledAt);
  campaign.updatedAt = work.now;
}

/** Moves a scheduled campaign to another time. A run of a recurring campaign keeps its time. */
export async function rescheduleCampaign(
  work: Work,
  id: string,
  { scheduledAt }: CampaignSchedule,
): Promise<void> {
  const campaign = await lockCampaign(work, id);
  if (scheduledAt <= work.now.getTime()) {
    throw invalidField('/scheduledAt', 'must be in the future');
  }
  requireStatus(campaign, ['scheduled'], 'rescheduled');
  requireNoRun(campaign, 'rescheduled');
  campaign.scheduledAt = new Date(scheduledAt);
  campaign.updatedAt = work.now;
}
