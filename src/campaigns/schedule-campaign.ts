import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import { invalidField } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
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
    campaign.approvedMails = null;
  });

/** Stores how many mails a person approved: a list that grows beyond that holds the campaign. */
export async function keepApprovedMails(
  view: View,
  { id }: Readonly<Record<string, unknown>>,
  { mails = 0 }: Effects,
): Promise<void> {
  await view.rows(KEEP_APPROVED, [view.subAccountId, id, mails]);
}

const KEEP_APPROVED = `update campaigns set approved_mails = $3 where sub_account_id = $1 and id = $2`;

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
