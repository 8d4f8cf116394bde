import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { queueMailing } from './campaigns.jobs.ts';
import type { Campaign } from './campaign.entity.ts';
import { lockCampaign, requireStatus } from './campaign.store.ts';
import { requireList, type ActiveList } from './lists/list.store.ts';
import { resolveAudience } from './audience/resolve-audience.ts';

/** Sends a campaign now (spec "Campaigns"). A refusal leaves its status unchanged. */
export async function sendCampaign(work: Work, id: string): Promise<void> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['draft', 'scheduled'], 'sent');
  await startLocked(work, campaign);
}

/** Starts a locked campaign whose status was checked. Throws if its list is gone or empty. */
export async function startLocked(work: Work, campaign: Campaign): Promise<void> {
  const list = await requireList(work, campaign);
  if ((await startMailing(work, campaign, list)) === 0) {
    throw new Fault('empty_audience', 'empty_audience: the list has no contact that may be mailed');
  }
}

/** Writes the recipients and queues their mails. Returns the number of recipients. */
export async function startMailing(
  work: Work,
  campaign: Campaign,
  list: ActiveList,
): Promise<number> {
  const { now } = work;
  const recipients = await resolveAudience(work, campaign.id, list);
  const started = { status: 'sending', startedAt: now, updatedAt: now, heldBecause: null } as const;
  Object.assign(campaign, started);
  queueMailing(work);
  return recipients;
}
