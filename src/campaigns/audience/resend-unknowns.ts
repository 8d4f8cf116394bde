import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import type { Campaign } from '../campaign.entity.ts';
import { queueMailing } from '../campaigns.jobs.ts';
import { lockCampaign, requireStatus } from '../campaign.store.ts';
import { requireList } from '../lists/list.store.ts';

/**
 * Sends again to all recipients whose outcome is unknown, or only to the given addresses. Some may get
 * the mail twice. Returns the number of recipients. Throws NOT_FOUND for an address whose outcome is
 * known.
 */
export async function resendUnknowns(
  work: Work,
  id: string,
  emails: readonly string[] | undefined,
): Promise<number> {
  const campaign = await lockCampaign(work, id);
  requireStatus(campaign, ['sending', 'paused', 'held', 'sent'], 'mailed again');
  await requireList(work, campaign);
  const addresses = emails?.map(normalised) ?? null;
  const found = await work.rows<{ address: string }>(REQUEUE, [work.subAccountId, id, addresses]);
  const lacking = addresses?.filter((one) => !found.some(({ address }) => address === one)) ?? [];
  if (lacking.length > 0) {
    const message = `no recipient with an unknown outcome has the address ${lacking.join(', ')}`;
    throw new Fault('NOT_FOUND', message);
  }
  if (found.length > 0) {
    reopen(work, campaign);
    queueMailing(work);
  }
  return found.length;
}

const REQUEUE = `update campaign_recipients
  set status = 'pending', claimed_by = null, due_at = null, settled_at = null
  where sub_account_id = $1 and campaign_id = $2 and status = 'unknown'
    and ($3::text[] is null or address = any($3))
  returning address`;

function reopen({ now }: Work, campaign: Campaign): void {
  if (campaign.status === 'sent') {
    Object.assign(campaign, { status: 'sending', finishedAt: null, updatedAt: now });
  }
}
