import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { campaignCreate, campaignSchedule, campaignSchema } from './campaign.schema.ts';
import { countMails } from './audience/preview-audience.ts';
import { createCampaign } from './create-campaign.ts';
import { requireCampaign } from './campaign.store.ts';
import { keepApprovedMails, scheduleCampaign } from './schedule-campaign.ts';
import { sendCampaign } from './start-campaign.ts';

const access = scope('campaigns:write');
const params = Type.Object({ id: s.uuid() });

/** The API writes campaigns and never reads them (spec "Campaigns"). */
export const campaignEndpoints = [
  defineKeyedEndpoint({
    id: 'campaigns.create',
    method: 'POST',
    path: '/api/v1/campaigns',
    summary: 'Create a draft of an email campaign',
    description:
      'No mail is sent. The campaign keeps a copy of the layout: later changes of the template do not affect it. Fires no event.',
    access,
    rate: 'write',
    body: campaignCreate,
    faults: ['layout_not_found', 'layout_invalid', 'list_required', 'feature_unavailable'],
    status: 201,
    data: campaignSchema,
    async write({ work, body }) {
      return { status: 201, data: { id: await createCampaign(work, body), status: 'draft' } };
    },
  }),

  defineKeyedEndpoint({
    id: 'campaigns.send',
    method: 'POST',
    path: '/api/v1/campaigns/:id/send',
    summary: 'Send a campaign now',
    description:
      'Writes the recipients first: the contacts of the list that may be mailed, one per address. A refused request leaves the status unchanged. Fires no event.',
    access,
    rate: 'write',
    agent: { risk: 'mass', effects: countMails },
    params,
    faults: [
      'NOT_FOUND',
      'invalid_status',
      'channel_unsupported',
      'list_required',
      'empty_audience',
      'feature_unavailable',
    ],
    assertExists: (view, { id }) => requireCampaign(view, id),
    data: campaignSchema,
    async write({ work, params: { id } }) {
      await sendCampaign(work, id);
      return { data: { id, status: 'sending' } };
    },
  }),

  defineKeyedEndpoint({
    id: 'campaigns.schedule',
    method: 'POST',
    path: '/api/v1/campaigns/:id/schedule',
    summary: 'Schedule a campaign',
    description:
      'The campaign is sent at `scheduledAt`, and its recipients are determined then. Fires no event.',
    access,
    rate: 'write',
    agent: { risk: 'mass', effects: countMails, keepApproved: keepApprovedMails },
    params,
    body: campaignSchedule,
    faults: [
      'NOT_FOUND',
      'invalid_status',
      'channel_unsupported',
      'list_required',
      'feature_unavailable',
    ],
    assertExists: (view, { id }) => requireCampaign(view, id),
    data: campaignSchema,
    async write({ work, params: { id }, body }) {
      await scheduleCampaign(work, id, body);
      return { data: { id, status: 'scheduled' } };
    },
  }),
];
