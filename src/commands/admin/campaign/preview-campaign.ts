import { linksOf, PREVIEW } from '../../../campaigns/compose/campaign-links.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { sendPreview } from '../../../campaigns/compose/send-preview.ts';
import type { ListedCampaign } from '../../../campaigns/list-all-campaigns.ts';
import type { AdminContext } from '../../open-admin.ts';

type Previewed = Pick<ListedCampaign, 'id' | 'subAccountId'>;

/** The address where whoever has it sees the mail. */
export const previewLink = ({ secrets }: AdminContext, { id, subAccountId }: Previewed): string =>
  linksOf(PREVIEW, secrets, reach().baseUrl)({ id, subAccountId });

export async function previewCampaign(
  { openView, clock, secrets }: AdminContext,
  { id, subAccountId }: Previewed,
  to: string,
): Promise<void> {
  const { baseUrl, outboundAllow } = reach();
  const outbound = openOutbound({ allow: outboundAllow });
  const preview = { campaignId: id, to, secrets, baseUrl, outboundAllow, outbound };
  try {
    await sendPreview(openView(subAccountId, clock()), preview);
  } finally {
    await outbound.close();
  }
}

function reach() {
  const { baseUrl, port, outboundAllow } = readEnvironment(withEnvironmentFile(process.env));
  return { baseUrl: baseUrl ?? `http://localhost:${port}`, outboundAllow: outboundAllow ?? [] };
}
