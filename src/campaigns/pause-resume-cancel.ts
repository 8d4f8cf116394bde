import type { Work } from '#core/work.ts';
import { queueMailing } from './campaigns.jobs.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';
import { startLocked } from './start-campaign.ts';

/** Pauses a campaign. Mails in flight to the mail server are still sent. */
export async function pauseCampaign(work: Work, id: string): Promise<void> {
  requireStatus(await lockCampaign(work, id), ['sending'], 'paused');
  work.write(SET_STATUS, [work.subAccountId, id, work.now, 'paused']);
}

/** Resumes a paused or held campaign. If it never started, it is started with all checks. */
export async function resumeCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['paused', 'held'], 'resumed');
  if (campaign.startedAt === null) {
    return startLocked(work, campaign);
  }
  await requireList(work, campaign);
  work.write(SET_STATUS, [work.subAccountId, id, work.now, 'sending']);
  queueMailing(work);
}

const SET_STATUS = `update campaigns set status = $4, held_because = null, updated_at = $3
  where sub_account_id = $1 and id = $2`;

/** Cancels a campaign. Pending recipients are skipped. */
export async function cancelCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft', 'scheduled', 'sending', 'paused', 'held'], 'cancelled');
  work.write(CANCEL, [work.subAccountId, id, work.now]);
  work.write(SKIP, [work.subAccountId, id]);
}

const CANCEL = `update campaigns
  set status = 'cancelled', held_because = null, finished_at = $3, updated_at = $3
  where sub_account_id = $1 and id = $2`;

const SKIP = `update campaign_recipients
  set status = 'skipped', error_code = 'cancelled', settled_at = now()
  where sub_account_id = $1 and campaign_id = $2 and status = 'pending'`;
