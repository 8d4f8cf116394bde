import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { campaignCreate, campaignSchedule, campaignSchema } from './campaign.schema.ts';
import { createCampaign } from './create-campaign.ts';
import { requireCampaign } from './campaign.store.ts';
import { scheduleCampaign } from './schedule-campaign.ts';
import { sendCampaign } from './start-campaign.ts';

const access = scope('campaigns:write');
const params = Type.Object({ id: s.uuid() });

/** Campaigns are written over the API and never read (spec "Campaigns"). */
export const campaignEndpoints = [
  defineKeyedEndpoint({
    id: 'campaigns.create',
    method: 'POST',
    path: '/api/v1/campaigns',
    summary: 'Create a draft of a campaign by email',
    description: 'Mails no one. The layout is kept as it is now.',
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
      'Who is mailed is settled first: one mail per address of the list that may be mailed. Whatever is refused, the status is as it was.',
    access,
    rate: 'write',
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
    summary: 'Have a campaign sent at a time',
    access,
    rate: 'write',
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
