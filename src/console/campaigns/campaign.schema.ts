import { Type } from 'typebox';
import { memberRole } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { CAMPAIGN_STATUSES } from '../../campaigns/campaign.schema.ts';
import { requireCampaign } from '../../campaigns/campaign.store.ts';
import { countRecipients, listAllCampaigns } from '../../campaigns/list-all-campaigns.ts';

const row = {
  id: s.uuid(),
  subAccountId: s.uuid(),
  name: Type.String({ examples: ['Spring'] }),
  subject: Type.String({ examples: ['Hello {{firstName|there}}'] }),
  layout: Type.String(),
  listId: s.nullable(s.uuid()),
  recurring: s.nullable(
    Type.String({ description: 'the key of the recurring campaign that it is a run of' }),
  ),
  channel: Type.String({ examples: ['email'] }),
  status: s.oneOf(CAMPAIGN_STATUSES),
  heldBecause: s.nullable(Type.String()),
  scheduledAt: s.nullable(s.isoTime()),
  startedAt: s.nullable(s.isoTime()),
  finishedAt: s.nullable(s.isoTime()),
  createdAt: s.isoTime(),
};

export const count = Type.Integer({ minimum: 0 });
/** A campaign with its numbers of recipients. */
export const campaign = s.response({
  ...row,
  recipients: s.response({
    pending: count,
    sent: count,
    skipped: count,
    failed: count,
    unknown: count,
  }),
  unsubscribed: Type.Integer({
    minimum: 0,
    description: 'recipients who unsubscribed by the link in the mail',
  }),
});

export const admin = memberRole('admin');
export const ofCampaign = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => requireCampaign(view, id),
};

/** Returns a campaign of the sub-account. Throws NOT_FOUND. */
export async function shown(view: View, id: string) {
  const [found] = await listAllCampaigns(view, { id, subAccountId: view.subAccountId });
  if (!found) {
    throw notFound('campaign');
  }
  return { ...found, ...(await countRecipients(view, id)) };
}
