import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import { notFound, type FaultCode } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { requireCampaign } from '../campaigns/campaign.store.ts';
import { CAMPAIGN_STATUSES } from '../campaigns/campaign.schema.ts';
import { previewForAudience } from '../campaigns/compose/preview-for-audience.ts';
import { findRecipients, RECIPIENT_STATUSES } from '../campaigns/delivery/find-recipients.ts';
import { countRecipients, listAllCampaigns } from '../campaigns/list-all-campaigns.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../campaigns/pause-resume-cancel.ts';

const row = {
  id: s.uuid(),
  subAccountId: s.uuid(),
  name: Type.String({ examples: ['Spring'] }),
  subject: Type.String({ examples: ['Hello {{firstName}}'] }),
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

const count = Type.Integer({ minimum: 0 });
const campaign = s.response({
  ...row,
  recipients: s.response({
    pending: count,
    sent: count,
    skipped: count,
    failed: count,
    unknown: count,
  }),
});

const admin = memberRole('admin');
const ofCampaign = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => requireCampaign(view, id),
};

async function shown(view: View, id: string) {
  const [found] = await listAllCampaigns(view, { id, subAccountId: view.subAccountId });
  if (!found) {
    throw notFound('campaign');
  }
  return { ...found, recipients: await countRecipients(view, found) };
}

const STARTING: readonly FaultCode[] = [
  'channel_unsupported',
  'list_required',
  'empty_audience',
  'feature_unavailable',
];

const changing = (
  verb: 'pause' | 'resume' | 'cancel',
  summary: string,
  change: typeof pauseCampaign,
  faults: readonly FaultCode[] = [],
) =>
  defineConsoleEndpoint({
    id: `campaigns.${verb}`,
    method: 'POST',
    path: `/console/api/v1/campaigns/:id/${verb}`,
    summary,
    access: admin,
    rate: 'write',
    ...ofCampaign,
    faults: ['invalid_status', ...faults],
    bodyOptional: true,
    data: campaign,
    async write({ work, params: { id } }) {
      await change(work, id);
      return { data: async (view: View) => (await shown(view, id)) as never };
    },
  });

/** The campaigns of the sub-account. */
export const campaignEndpoints = [
  defineConsoleEndpoint({
    id: 'campaigns.list',
    method: 'GET',
    path: '/console/api/v1/campaigns',
    summary: 'List campaigns, newest first',
    access: admin,
    rate: 'read',
    paged: true,
    query: s.request(pageQuery),
    data: Type.Array(s.response(row)),
    async read({ view, query, after: before }) {
      const size = pageSize(query);
      const { subAccountId } = view;
      const rows = await listAllCampaigns(view, { subAccountId, before, limit: size + 1 });
      const page = rows.slice(0, size);
      return { data: page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.get',
    method: 'GET',
    path: '/console/api/v1/campaigns/:id',
    summary: 'Get a campaign and its progress',
    access: admin,
    rate: 'read',
    ...ofCampaign,
    data: campaign,
    read: async ({ view, params: { id } }) => ({ data: await shown(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.recipients',
    method: 'GET',
    path: '/console/api/v1/campaigns/:id/recipients',
    summary: 'List the recipients of a campaign',
    access: admin,
    rate: 'read',
    paged: true,
    ...ofCampaign,
    query: s.request({ ...pageQuery, status: Type.Optional(s.oneOf(RECIPIENT_STATUSES)) }),
    data: Type.Array(
      s.response({
        id: s.uuid(),
        email: Type.String({ examples: ['ada@example.com'] }),
        contactId: s.uuid(),
        status: s.oneOf(RECIPIENT_STATUSES),
        errorCode: s.nullable(Type.String()),
        errorMessage: s.nullable(Type.String()),
        settledAt: s.nullable(s.isoTime()),
      }),
    ),
    async read({ view, params: { id: campaignId }, query, after }) {
      await requireCampaign(view, campaignId);
      const size = pageSize(query);
      const { status } = query;
      const rows = await findRecipients(view, { campaignId, status, after, limit: size + 1 });
      const page = rows.slice(0, size);
      return { data: page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.preview',
    method: 'GET',
    path: '/console/api/v1/campaigns/:id/preview',
    summary: 'Get the mail of a campaign as a contact of the audience gets it',
    description:
      'If the audience is empty, the mail is merged for an example contact. The HTML is that of the campaign: show it only in a sandboxed frame.',
    access: admin,
    rate: 'read',
    ...ofCampaign,
    data: s.response({ subject: Type.String(), html: Type.String(), text: Type.String() }),
    read: async ({ view, params: { id } }) => ({ data: await previewForAudience(view, id) }),
  }),
  changing('pause', 'Pause a campaign', pauseCampaign),
  changing('resume', 'Resume a paused campaign', resumeCampaign, STARTING),
  changing('cancel', 'Cancel a campaign; remaining recipients receive nothing', cancelCampaign),
];
