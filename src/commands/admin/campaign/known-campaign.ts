import { AGENCY } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import {
  countRecipients,
  listAllCampaigns,
  type Recipients,
  type ListedCampaign,
} from '../../../campaigns/list-all-campaigns.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing } from '../answers.ts';

export interface ShownCampaign extends ListedCampaign {
  readonly recipients: Recipients;
}

export async function knownCampaign(
  { openView, clock }: AdminContext,
  id: string,
): Promise<ListedCampaign> {
  const [found] = await listAllCampaigns(openView(AGENCY, clock()), { id });
  return existing(found, 'campaign', id);
}

export async function shownCampaign(context: AdminContext, id: string): Promise<ShownCampaign> {
  const campaign = await knownCampaign(context, id);
  const view = context.openView(campaign.subAccountId, context.clock());
  return { ...campaign, recipients: await countRecipients(view, campaign) };
}

/** Changes a campaign as work of the sub-account that it belongs to, and shows what it is then. */
export async function changeCampaign<R>(
  context: AdminContext,
  named: string,
  change: (work: Work, id: string) => Promise<R>,
): Promise<{ readonly row: ShownCampaign; readonly outcome: R }> {
  const { id, subAccountId } = await knownCampaign(context, named);
  const outcome = await context.transact(subAccountId, context.actor, (work) => change(work, id));
  return { row: await shownCampaign(context, id), outcome };
}
