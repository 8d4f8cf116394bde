import { Type } from 'typebox';
import { defineConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import type { FaultCode } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { campaignSchedule } from '../../campaigns/campaign.schema.ts';
import { deleteDraft } from '../../campaigns/delete-draft.ts';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  unscheduleCampaign,
} from '../../campaigns/pause-resume-cancel.ts';
import { rescheduleCampaign } from '../../campaigns/schedule-campaign.ts';
import { admin, campaign, ofCampaign, shown } from './campaign.schema.ts';

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

/** Changes of the status of campaigns. */
export const changeCampaignEndpoints = [
  changing('pause', 'Pause a campaign', pauseCampaign),
  changing('resume', 'Resume a paused campaign', resumeCampaign, STARTING),
  changing('unschedule', 'Return a scheduled campaign to draft', unscheduleCampaign),
  changing('cancel', 'Cancel a campaign; remaining recipients receive nothing', cancelCampaign),
  defineConsoleEndpoint({
    id: 'campaigns.reschedule',
    method: 'POST',
    path: '/console/api/v1/campaigns/:id/reschedule',
    summary: 'Move a scheduled campaign to another time',
    description: 'A run of a recurring campaign keeps its time. Fires no event.',
    access: admin,
    rate: 'write',
    ...ofCampaign,
    faults: ['invalid_status'],
    body: campaignSchedule,
    data: campaign,
    async write({ work, params: { id }, body }) {
      await rescheduleCampaign(work, id, body);
      return { data: async (view: View) => (await shown(view, id)) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'campaigns.delete',
    method: 'DELETE',
    path: '/console/api/v1/campaigns/:id',
    summary: 'Delete a draft',
    description: 'A campaign that was scheduled or sent is cancelled instead. Fires no event.',
    access: admin,
    rate: 'write',
    ...ofCampaign,
    faults: ['invalid_status'],
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id } }) {
      await deleteDraft(work, id);
      return { data: { id, deleted: true } };
    },
  }),
];
