import { Type } from 'typebox';
import { defineConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { campaignCreate } from '../../campaigns/campaign.schema.ts';
import { previewOrCaptured } from '../../campaigns/captured/preview-captured.ts';
import { mergePreview, isSandbox, sendPreview } from '../../campaigns/compose/send-preview.ts';
import { readWording } from '../../campaigns/compose/show-preview.ts';
import { listAllCampaigns, withRecipients } from '../../campaigns/list-all-campaigns.ts';
import { updateCampaign } from '../../campaigns/update-campaign.ts';
import { admin, campaign, ofCampaign, shown } from './campaign.schema.ts';
import { previewChoice, previewedMail, unknownFields } from './previewed-mail.schema.ts';

const withContent = s.response({
  ...campaign.properties,
  preheader: s.nullable(Type.String()),
  contentHtml: Type.String(),
});

async function shownWithContent(view: View, id: string) {
  const [campaignRow, { preheader, contentHtml }] = await Promise.all([
    shown(view, id),
    readWording(view, id),
  ]);
  return { ...campaignRow, preheader, contentHtml };
}

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
    data: Type.Array(campaign),
    async read({ view, query, after: before }) {
      const size = pageSize(query);
      const { subAccountId } = view;
      const rows = await listAllCampaigns(view, { subAccountId, before, limit: size + 1 });
      const page = rows.slice(0, size);
      const next = rows.length > size ? (page.at(-1)?.id ?? null) : null;
      return { data: await withRecipients(view, page), next };
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
    data: withContent,
    read: async ({ view, params: { id } }) => ({ data: await shownWithContent(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.update',
    method: 'PATCH',
    path: '/console/api/v1/campaigns/:id',
    summary: 'Replace the content of a draft',
    description: 'The campaign gets a new copy of the layout. Fires no event.',
    access: admin,
    rate: 'write',
    ...ofCampaign,
    body: campaignCreate,
    faults: ['invalid_status', 'layout_not_found', 'layout_invalid', 'list_required'],
    data: withContent,
    async write({ work, params: { id }, body }) {
      await updateCampaign(work, id, body);
      return { data: async (view: View) => (await shownWithContent(view, id)) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.test',
    method: 'POST',
    path: '/console/api/v1/campaigns/:id/test',
    summary: 'Send the mail of a campaign to your own email address',
    description:
      'At once, whatever the status of the campaign. The mail server that refuses it is named. A sandbox sends nothing: `captured` is the mail. Fires no event.',
    access: admin,
    rate: 'write',
    ...ofCampaign,
    bodyOptional: true,
    body: s.request(previewChoice),
    data: s.response({
      sentTo: s.email(),
      captured: s.nullable(previewedMail),
      unknownFields,
    }),
    async prepare({ view, tools, caller, baseUrl, params: { id: campaignId }, body: choice }) {
      const { secrets, outbound, outboundAllow } = tools;
      const to = caller.user.email;
      if (await isSandbox(view)) {
        return;
      }
      const settings = { secrets, outbound, outboundAllow, baseUrl };
      await sendPreview(view, { campaignId, to, choice, ...settings });
    },
    async write({ work, caller, params: { id }, body: choice }) {
      work.audit(id);
      const to = caller.user.email;
      const mail = await mergePreview(work, { campaignId: id, to, choice });
      const captured = (await isSandbox(work)) ? mail : null;
      return { data: { sentTo: to, captured, unknownFields: mail.unknownFields } };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.preview',
    method: 'GET',
    path: '/console/api/v1/campaigns/:id/preview',
    summary: 'Get the mail of a campaign as a contact of the audience gets it',
    description:
      'If the audience is empty, the mail is merged for an example contact. In a sandbox, the mail of a contact that got it is the captured one. The HTML is that of the campaign: show it only in a sandboxed frame.',
    access: admin,
    rate: 'read',
    ...ofCampaign,
    query: s.request(previewChoice),
    data: previewedMail,
    async read({ view, baseUrl, tools: { secrets }, params: { id }, query }) {
      return { data: await previewOrCaptured(view, { secrets, baseUrl }, id, query) };
    },
  }),
];
