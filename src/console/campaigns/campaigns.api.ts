import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import { notFound, type FaultCode } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { findLeftOut } from '../../campaigns/audience/preview-audience.ts';
import { requireCampaign } from '../../campaigns/campaign.store.ts';
import { campaignCreate, CAMPAIGN_STATUSES } from '../../campaigns/campaign.schema.ts';
import { previewForAudience } from '../../campaigns/compose/preview-for-audience.ts';
import { mergePreview, isSandbox, sendPreview } from '../../campaigns/compose/send-preview.ts';
import { readWording } from '../../campaigns/compose/show-preview.ts';
import { findProgress } from '../../campaigns/delivery/find-progress.ts';
import { findRecipients, RECIPIENT_STATUSES } from '../../campaigns/delivery/find-recipients.ts';
import { countRecipients, listAllCampaigns } from '../../campaigns/list-all-campaigns.ts';
import { leftOutContacts, leftOutCounts } from './left-out.schema.ts';
import { previewedMail, unknownFields } from './previewed-mail.schema.ts';
import { updateCampaign } from '../../campaigns/update-campaign.ts';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  unscheduleCampaign,
} from '../../campaigns/pause-resume-cancel.ts';

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

const SEARCH_MAX = 200;

const admin = memberRole('admin');
const ofCampaign = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => requireCampaign(view, id),
};

const withContent = s.response({
  ...campaign.properties,
  preheader: s.nullable(Type.String()),
  contentHtml: Type.String(),
});

async function shown(view: View, id: string) {
  const [found] = await listAllCampaigns(view, { id, subAccountId: view.subAccountId });
  if (!found) {
    throw notFound('campaign');
  }
  return { ...found, recipients: await countRecipients(view, found) };
}

async function shownWithContent(view: View, id: string) {
  const [campaignRow, { preheader, contentHtml }] = await Promise.all([
    shown(view, id),
    readWording(view, id),
  ]);
  return { ...campaignRow, preheader, contentHtml };
}

const STARTING: readonly FaultCode[] = [
  'channel_unsupported',
  'list_required',
  'empty_audience',
  'feature_unavailable',
];

const changing = (
  verb: 'pause' | 'resume' | 'unschedule' | 'cancel',
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
    data: s.response({
      sentTo: s.email(),
      captured: s.nullable(previewedMail),
      unknownFields,
    }),
    async prepare({ view, tools, caller, baseUrl, params: { id: campaignId } }) {
      const { secrets, outbound, outboundAllow } = tools;
      const to = caller.user.email;
      if (await isSandbox(view)) {
        return;
      }
      await sendPreview(view, { campaignId, to, secrets, outbound, outboundAllow, baseUrl });
    },
    async write({ work, caller, params: { id } }) {
      work.audit(id);
      const to = caller.user.email;
      const mail = await mergePreview(work, { campaignId: id, to });
      const captured = (await isSandbox(work)) ? mail : null;
      return { data: { sentTo: to, captured, unknownFields: mail.unknownFields } };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.progress',
    method: 'GET',
    path: '/console/api/v1/campaigns/:id/progress',
    summary: 'Get how many mails of a campaign were sent until when',
    description: 'In at most 60 steps of the same length; empty before the first mail.',
    access: admin,
    rate: 'read',
    ...ofCampaign,
    data: Type.Array(s.response({ at: s.epochMs(), sent: count })),
    async read({ view, params: { id } }) {
      await requireCampaign(view, id);
      return { data: await findProgress(view, id) };
    },
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
    query: s.request({
      ...pageQuery,
      status: Type.Optional(s.oneOf(RECIPIENT_STATUSES)),
      q: Type.Optional(
        Type.String({
          maxLength: SEARCH_MAX,
          description: 'part of an address or of the name of a contact',
          examples: ['ada'],
        }),
      ),
    }),
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
      const { status, q: search } = query;
      const limit = size + 1;
      const rows = await findRecipients(view, { campaignId, status, search, after, limit });
      const page = rows.slice(0, size);
      return { data: page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.left-out',
    method: 'GET',
    path: '/console/api/v1/campaigns/:id/left-out',
    summary: 'Show which contacts of its list a started campaign left out, and why',
    description:
      'Contacts from before its start that are not among its recipients, with the reason that holds now. `examples` names at most 100 of them.',
    access: admin,
    rate: 'read',
    ...ofCampaign,
    data: s.response({ leftOut: leftOutCounts, examples: leftOutContacts }),
    async read({ view, params: { id } }) {
      await requireCampaign(view, id);
      const { leftOut, examples } = await findLeftOut(view, id);
      return { data: { leftOut, examples } };
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
    data: previewedMail,
    read: async ({ view, params: { id } }) => ({ data: await previewForAudience(view, id) }),
  }),
  changing('pause', 'Pause a campaign', pauseCampaign),
  changing('resume', 'Resume a paused campaign', resumeCampaign, STARTING),
  changing('unschedule', 'Return a scheduled campaign to draft', unscheduleCampaign),
  changing('cancel', 'Cancel a campaign; remaining recipients receive nothing', cancelCampaign),
];
