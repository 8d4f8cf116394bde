import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { ListFilter } from './list-filter.ts';
import type { LockedCampaign } from '../lock-campaign.ts';
import { requireFeature } from '../require-feature.ts';

export interface ActiveList {
  readonly id: string;
  readonly filter: ListFilter | null;
}

/** Throws what keeps a campaign from going out, whatever its status: feature, channel or list. */
export async function requireList(work: Work, campaign: LockedCampaign): Promise<ActiveList> {
  await requireFeature(work);
  if (campaign.channel !== 'email') {
    const message = `channel_unsupported: campaigns go by email, not by ${campaign.channel}`;
    throw new Fault('channel_unsupported', message);
  }
  const [list] = await work.rows<ActiveList>(LIST, [work.subAccountId, campaign.listId]);
  if (!list) {
    throw new Fault('list_required', 'list_required: the list is gone or not active any more');
  }
  return list;
}

const LIST = 'select id, filter from lists where sub_account_id = $1 and id = $2 and active';
