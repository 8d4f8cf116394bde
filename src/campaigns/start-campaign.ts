import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { queueMailing } from './campaigns.jobs.ts';
import { lockCampaign, requireStatus, type LockedCampaign } from './campaign.store.ts';
import { requireList, type ActiveList } from './lists/list.store.ts';
import { resolveAudience } from './audience/resolve-audience.ts';

/** Sends a campaign now (spec "Campaigns"). A refusal leaves its status unchanged. */
export async function sendCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft', 'scheduled'], 'sent');
  await startLocked(work, campaign);
}

/** Starts a locked campaign whose status was checked. Throws if its list is gone or empty. */
export async function startLocked(work: Work, campaign: LockedCampaign): Promise<void> {
  const { id } = campaign;
  const list = await requireList(work, campaign);
  if ((await startMailing(work, id, list)) === 0) {
    throw new Fault('empty_audience', 'empty_audience: the list has no contact that may be mailed');
  }
}

/** Writes the recipients and queues their mails. Returns the number of recipients. */
export async function startMailing(work: Work, id: string, list: ActiveList): Promise<number> {
  const recipients = await resolveAudience(work, id, list);
  work.write(START, [work.subAccountId, id, work.now]);
  queueMailing(work);
  return recipients;
}

const START = `update campaigns
  set status = 'sending', started_at = $3, updated_at = $3, held_because = null
  where sub_account_id = $1 and id = $2`;
