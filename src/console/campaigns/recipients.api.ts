import { Type } from 'typebox';
import { defineConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import { findLeftOut } from '../../campaigns/audience/preview-audience.ts';
import { requireCampaign } from '../../campaigns/campaign.store.ts';
import { findProgress } from '../../campaigns/delivery/find-progress.ts';
import { findRecipients, RECIPIENT_STATUSES } from '../../campaigns/delivery/find-recipients.ts';
import { admin, count, ofCampaign } from './campaign.schema.ts';
import { leftOutContacts, leftOutCounts } from './left-out.schema.ts';

const SEARCH_MAX = 200;

const search = Type.Optional(
  Type.String({
    maxLength: SEARCH_MAX,
    description: 'part of an address or of the name of a contact',
    examples: ['ada'],
  }),
);

/** The recipients of campaigns, and those who are none. */
export const recipientEndpoints = [
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
      q: search,
    }),
    data: Type.Array(
      s.response({
        id: s.uuid(),
        email: Type.String({ examples: ['ada@example.com'] }),
        name: Type.String({
          description: 'of the contact; may be empty',
          examples: ['Ada Lovelace'],
        }),
        contactId: s.uuid(),
        status: s.oneOf(RECIPIENT_STATUSES),
        errorCode: s.nullable(Type.String()),
        errorMessage: s.nullable(Type.String()),
        settledAt: s.nullable(s.isoTime()),
        unsubscribedAt: s.nullable(
          s.isoTime({ description: 'when they unsubscribed by the link in the mail' }),
        ),
      }),
    ),
    async read({ view, params: { id: campaignId }, query, after }) {
      await requireCampaign(view, campaignId);
      const size = pageSize(query);
      const { status, q } = query;
      const limit = size + 1;
      const rows = await findRecipients(view, { campaignId, status, search: q, after, limit });
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
    query: s.request({ q: search }),
    data: s.response({ leftOut: leftOutCounts, examples: leftOutContacts }),
    async read({ view, params: { id }, query: { q } }) {
      await requireCampaign(view, id);
      const { leftOut, examples } = await findLeftOut(view, id, q);
      return { data: { leftOut, examples } };
    },
  }),
];
