import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

/** Below the limit of a request body. */
export const CONTENT_MAX = 500_000;
export const LINE_MAX = 998;

/** Both are resumed by an admin: `held` was stopped by an error, `paused` by an admin (contract 8). */
export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'held',
  'sent',
  'cancelled',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** A campaign as it is created (spec "Campaign (create request)"). */
export const campaignCreate = s.request({
  name: s.shortText({ description: 'internal, not sent to recipients' }),
  subject: s.shortText({ maxLength: LINE_MAX }),
  preheader: Type.Optional(
    s.nullable(Type.String({ maxLength: LINE_MAX, description: 'preview text' })),
  ),
  contentHtml: Type.String({
    minLength: 1,
    maxLength: CONTENT_MAX,
    format: 'not-blank',
    description: 'body HTML only, inserted into the layout',
  }),
  layout: s.shortText({
    description:
      'name of a saved template with exactly one {{content}}; the newest if several have it',
  }),
  listId: Type.Optional(
    s.nullable(s.uuid({ description: "an active list; defaults to the layout's default list" })),
  ),
});
export type CampaignCreate = Static<typeof campaignCreate>;

export const campaignSchedule = s.request({
  scheduledAt: s.instant({ description: 'in the future' }),
});
export type CampaignSchedule = Static<typeof campaignSchedule>;

/** The only fields of a campaign that the API returns. */
export const campaignSchema = s.response({
  id: s.uuid(),
  status: s.oneOf(['draft', 'scheduled', 'sending']),
});
