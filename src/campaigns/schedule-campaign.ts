import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { Campaign } from './campaign.entity.ts';
import type { CampaignSchedule } from './campaign.schema.ts';
import { lockCampaign, requireNoRun, requireStatus } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';

/** Schedules a draft. Its list may still be empty. */
export const scheduleCampaign = (work: Work, id: string, schedule: CampaignSchedule) =>
  setTime(work, id, schedule, async (campaign) => {
    requireStatus(campaign, ['draft'], 'scheduled');
    await requireList(work, campaign);
    campaign.status = 'scheduled';
  });

/** Moves a scheduled campaign to another time. A run of a recurring campaign keeps its time. */
export const rescheduleCampaign = (work: Work, id: string, schedule: CampaignSchedule) =>
  setTime(work, id, schedule, async (campaign) => {
    requireStatus(campaign, ['scheduled'], 'rescheduled');
    requireNoRun(campaign, 'rescheduled');
  });

async function setTime(
  work: Work,
  id: string,
  { scheduledAt }: CampaignSchedule,
  prepare: (campaign: Campaign) => Promise<void>,
): Promise<void> {
  const campaign = await lockCampaign(work, id);
  if (scheduledAt <= work.now.getTime()) {
    throw invalidField('/scheduledAt', 'must be in the future');
  }
  await prepare(campaign);
  campaign.scheduledAt = new Date(scheduledAt);
  campaign.updatedAt = work.now;
}
