import type { Work } from '#core/work.ts';
import { queueMailing } from './campaigns.jobs.ts';
import type { Campaign } from './campaign.entity.ts';
import { lockCampaign, requireNoRun, requireStatus } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';
import { startLocked } from './start-campaign.ts';

/** Pauses a campaign. Mails in flight to the mail server are still sent. */
export async function pauseCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['sending'], 'paused');
  setStatus(work, campaign, 'paused');
}

/** Resumes a paused or held campaign. If it never started, it is started with all checks. */
export async function resumeCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['paused', 'held'], 'resumed');
  if (campaign.startedAt === null) {
    return startLocked(work, campaign);
  }
  await requireList(work, campaign);
  setStatus(work, campaign, 'sending');
  queueMailing(work);
}

/** Returns a scheduled campaign to draft, so that it can be changed, scheduled for another time, or sent. */
export async function unscheduleCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['scheduled'], 'unscheduled');
  requireNoRun(campaign, 'unscheduled');
  setStatus(work, campaign, 'draft');
  campaign.scheduledAt = null;
}

/** Cancels a campaign. Pending recipients are skipped. */
export async function cancelCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft', 'scheduled', 'sending', 'paused', 'held'], 'cancelled');
  setStatus(work, campaign, 'cancelled');
  campaign.finishedAt = work.now;
  work.write(SKIP, [work.subAccountId, id]);
}

const SKIP = `update campaign_recipients
  set status = 'skipped', error_code = 'cancelled', settled_at = now()
  where sub_account_id = $1 and campaign_id = $2 and status = 'pending'`;

/** Skips recipients whose mail was under way when their campaign was cancelled, and was deferred then. */
export const skipDeferred = (work: Work): void =>
  work.write(SKIP_DEFERRED, [work.subAccountId, work.now]);

const SKIP_DEFERRED = `update campaign_recipients r
  set status = 'skipped', error_code = 'cancelled', settled_at = now()
  from campaigns c
  where c.sub_account_id = $1 and c.status = 'cancelled'
    and c.finished_at > $2::timestamptz - interval '1 hour'
    and r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'`;

function setStatus(
  { now }: Work,
  campaign: Campaign,
  status: 'draft' | 'paused' | 'sending' | 'cancelled',
): void {
  Object.assign(campaign, { status, heldBecause: null, updatedAt: now });
}
