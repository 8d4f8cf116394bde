import type { Switches } from '#core/command.ts';
import type { Work } from '#core/work.ts';
import { sleep } from '#lib/abort.ts';
import { AGENCY } from '#lib/id.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { linksOf, PREVIEW } from '../../../campaigns/compose/campaign-links.ts';
import { sendPreview } from '../../../campaigns/compose/send-preview.ts';
import {
  countRecipients,
  listAllCampaigns,
  type ListedCampaign,
  type RecipientCounts,
} from '../../../campaigns/list-all-campaigns.ts';
import { networkSettings, type AdminContext } from '../../open-admin.ts';
import { existing } from '../answers.ts';

type ShownCampaign = ListedCampaign & RecipientCounts;

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
  return { ...campaign, ...(await countRecipients(view, campaign.id)) };
}

/** Changes a campaign in its sub-account, and returns its new state. */
export async function changeCampaign<R>(
  context: AdminContext,
  named: string,
  change: (work: Work, id: string) => Promise<R>,
): Promise<{ readonly row: ShownCampaign; readonly outcome: R }> {
  const { id, subAccountId } = await knownCampaign(context, named);
  const outcome = await context.transact(subAccountId, context.actor, (work) => change(work, id));
  return { row: await shownCampaign(context, id), outcome };
}

const POLL_MS = 500;

/** Shows a progress bar until the campaign is no longer being sent. */
export async function watchCampaign(
  context: AdminContext,
  id: string,
  switches: Switches,
): Promise<void> {
  const bar = openProgressBar(switches);
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end);
  try {
    let before: number | undefined;
    for (;;) {
      const { status, recipients } = await shownCampaign(context, id);
      const { pending, ...settled } = recipients;
      const done = Object.values(settled).reduce((sum, count) => sum + count, 0);
      before ??= done;
      bar.update(done - before, pending + done === 0 ? 1 : done / (pending + done));
      if (status !== 'sending' || stop.signal.aborted) {
        return;
      }
      await sleep(POLL_MS, stop.signal);
    }
  } finally {
    process.off('SIGINT', end);
    bar.clear();
  }
}

type Previewed = Pick<ListedCampaign, 'id' | 'subAccountId'>;

/** Returns a link that shows the mail to anyone. */
export const previewLink = ({ secrets }: AdminContext, { id, subAccountId }: Previewed): string =>
  linksOf(PREVIEW, secrets, networkSettings().baseUrl)({ id, subAccountId });

export async function previewCampaign(
  { openView, clock, secrets }: AdminContext,
  { id, subAccountId }: Previewed,
  to: string,
): Promise<void> {
  const { baseUrl, outboundAllow } = networkSettings();
  const outbound = openOutbound({ allow: outboundAllow });
  const preview = { campaignId: id, to, secrets, baseUrl, outboundAllow, outbound };
  try {
    await sendPreview(openView(subAccountId, clock()), preview);
  } finally {
    await outbound.close();
  }
}
