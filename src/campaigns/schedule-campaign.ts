import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { CampaignSchedule } from './campaign.schema.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';

/** A smaller number is probably a time in seconds. */
const SMALLEST_MS = 100_000_000_000;

/** Schedules a draft. Its list may still be empty. */
export async function scheduleCampaign(
  work: Work,
  id: string,
  { scheduledAt }: CampaignSchedule,
): Promise<void> {
  const campaign = await lockCampaign(work, id);
  if (scheduledAt < SMALLEST_MS) {
    throw invalidField('/scheduledAt', 'must be epoch milliseconds; this looks like seconds');
  }
  if (scheduledAt <= work.now.getTime()) {
    throw invalidField('/scheduledAt', 'must be in the future');
  }
  requireStatus(campaign, ['draft'], 'scheduled');
  await requireList(work, campaign);
  campaign.status = 'scheduled';
  campaign.scheduledAt = new Date(scheduledAt);
  campaign.updatedAt = work.now;
}
