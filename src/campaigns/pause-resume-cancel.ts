import type { Work } from '#core/work.ts';
import { queueMailing } from './campaigns.jobs.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';
import { startLocked } from './start-campaign.ts';

/** Mails nobody else for now; what is under way to a mail server goes. */
export async function pauseCampaign(work: Work, id: string): Promise<void> {
  requireStatus(await lockCampaign(work, id), ['sending'], 'paused');
  work.write(SET, [work.subAccountId, id, work.now, 'paused']);
}

/** Goes on with what was paused or held. One that never began is sent now, with everything that may be refused then. */
export async function resumeCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['paused', 'held'], 'resumed');
  if (campaign.startedAt === null) {
    return startLocked(work, campaign);
  }
  await requireList(work, campaign);
  work.write(SET, [work.subAccountId, id, work.now, 'sending']);
  queueMailing(work);
}

const SET = `update campaigns set status = $4, held_because = null, updated_at = $3
  where sub_account_id = $1 and id = $2`;

/** Ends it for good; whoever was not mailed yet will not be. */
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
