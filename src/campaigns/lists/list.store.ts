import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import type { ListFilter } from './list-filter.ts';
import type { Campaign } from '../campaign.entity.ts';
import { requireFeature } from '../campaign.store.ts';

export interface KnownList {
  readonly id: string;
  readonly name: string;
  readonly isStatic: boolean;
}

/** Returns a list of the view's sub-account by its key. Throws NOT_FOUND. */
export async function knownList(view: View, key: string): Promise<KnownList> {
  const [list] = await view.rows<KnownList>(LIST_BY_KEY, [view.subAccountId, key]);
  if (!list) {
    throw new Fault('NOT_FOUND', `no list has the key ${key}`);
  }
  return list;
}

const LIST_BY_KEY = `select id, name, filter is null as "isStatic" from lists
  where sub_account_id = $1 and key = $2`;

export interface ActiveList {
  readonly id: string;
  readonly filter: ListFilter | null;
}

/** Returns a list, even an inactive one; undefined for an unknown id. */
export async function findList(view: View, id: string | null): Promise<ActiveList | undefined> {
  const [list] = await view.rows<ActiveList>(LIST, [view.subAccountId, id]);
  return list;
}

/** Returns the list of a campaign, if it is one of those that `only` allows. */
export async function findListOfCampaign(
  view: View,
  campaignId: string,
  only: '' | 'and l.active' | 'and c.started_at is not null' = '',
): Promise<ActiveList | undefined> {
  const values = [view.subAccountId, campaignId];
  const [list] = await view.rows<ActiveList>(`${LIST_OF_CAMPAIGN} ${only}`, values);
  return list;
}

const LIST_OF_CAMPAIGN = `select l.id, l.filter from campaigns c
  join lists l on l.sub_account_id = c.sub_account_id and l.id = c.list_id
  where c.sub_account_id = $1 and c.id = $2`;

const LIST = 'select id, filter from lists where sub_account_id = $1 and id = $2';

/** Returns the list of a campaign. Throws if its feature, channel or list prevents sending. */
export async function requireList(work: Work, campaign: Campaign): Promise<ActiveList> {
  await requireFeature(work);
  if (campaign.channel !== 'email') {
    const message = `channel_unsupported: campaigns are sent by email only, not by ${campaign.channel}`;
    throw new Fault('channel_unsupported', message);
  }
  const [list] = await work.rows<ActiveList>(ACTIVE_LIST, [work.subAccountId, campaign.listId]);
  if (!list) {
    throw new Fault(
      'list_required',
      'list_required: the list of the campaign was removed or is not active',
    );
  }
  return list;
}

const ACTIVE_LIST = `${LIST} and active`;
