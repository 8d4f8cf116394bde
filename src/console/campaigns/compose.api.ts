import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { previewAudience } from '../../campaigns/audience/preview-audience.ts';
import { campaignCreate, CONTENT_MAX, LINE_MAX } from '../../campaigns/campaign.schema.ts';
import { listTemplates } from '../../campaigns/compose/list-templates.ts';
import {
  findPreviewContacts,
  previewUnsaved,
} from '../../campaigns/compose/preview-for-audience.ts';
import { listFilter } from '../../campaigns/lists/list-filter.ts';
import { listLists } from '../../campaigns/lists/list-lists.ts';
import { listRecurring } from '../../campaigns/recurring/list-recurring.ts';
import { leftOutContacts, leftOutCounts } from './left-out.schema.ts';
import { previewChoice, previewedMail } from './previewed-mail.schema.ts';

const admin = memberRole('admin');
const count = Type.Integer({ minimum: 0 });
const { preheader, layout, listId } = campaignCreate.properties;

/** What a new campaign is made of. */
export const composeEndpoints = [
  defineConsoleEndpoint({
    id: 'campaigns.templates',
    method: 'GET',
    path: '/console/api/v1/campaign-templates',
    summary: 'List the mail templates that campaigns can use as their layout',
    description: 'By key. If several have the same name, a campaign gets the newest.',
    access: admin,
    rate: 'read',
    data: Type.Array(
      s.response({
        id: s.uuid(),
        key: Type.String({ examples: ['newsletter'] }),
        name: Type.String({ examples: ['Newsletter'] }),
        defaultList: s.nullable(Type.String({ description: 'the key of a list' })),
        htmlBytes: count,
        createdAt: s.isoTime(),
        updatedAt: s.isoTime(),
      }),
    ),
    read: async ({ view }) => ({ data: await listTemplates(view) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.lists',
    method: 'GET',
    path: '/console/api/v1/campaign-lists',
    summary: 'List the lists that campaigns can be sent to',
    description: 'Active lists by name.',
    access: admin,
    rate: 'read',
    data: Type.Array(
      s.response({
        id: s.uuid(),
        key: Type.String({ examples: ['clients'] }),
        name: Type.String({ examples: ['Clients'] }),
        isStatic: Type.Boolean({ description: 'its members are added one by one' }),
        filter: s.nullable(listFilter),
      }),
    ),
    read: async ({ view }) => ({ data: await listLists(view) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.audience',
    method: 'GET',
    path: '/console/api/v1/campaign-lists/:id/audience',
    summary: 'Count the mails of a campaign to a list, and show who is left out and why',
    description:
      'As the recipients would be determined now. `examples` names at most 100 contacts that are left out.',
    access: admin,
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => previewAudience(view, id),
    data: s.response({
      contacts: Type.Integer({ minimum: 0, description: 'on the list' }),
      mails: count,
      leftOut: leftOutCounts,
      examples: leftOutContacts,
    }),
    read: async ({ view, params: { id } }) => ({ data: await previewAudience(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.preview-contacts',
    method: 'GET',
    path: '/console/api/v1/campaign-lists/:id/contacts',
    summary: 'List contacts of a list that a mail can be previewed for',
    description:
      'At most 20 that get mail, by id, and the first one without a first name if they all have one.',
    access: admin,
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => findPreviewContacts(view, id),
    data: Type.Array(
      s.response({
        contactId: s.uuid(),
        name: Type.String({ description: 'may be empty', examples: ['Ada Lovelace'] }),
        email: s.nullable(Type.String({ examples: ['ada@example.com'] })),
        hasFirstName: Type.Boolean(),
      }),
    ),
    read: async ({ view, params: { id } }) => ({ data: await findPreviewContacts(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.preview-content',
    method: 'POST',
    path: '/console/api/v1/campaigns/preview',
    summary: 'Get a mail that is not saved as a contact of the list gets it',
    description:
      'If the list has no contact, the mail is merged for an example contact. Show the HTML only in a sandboxed frame.',
    access: admin,
    rate: 'read',
    faults: ['layout_not_found', 'layout_invalid'],
    body: s.request({
      subject: Type.String({ maxLength: LINE_MAX }),
      preheader,
      contentHtml: Type.String({ maxLength: CONTENT_MAX }),
      layout,
      listId,
      ...previewChoice,
    }),
    data: previewedMail,
    read: async ({ view, body }) => ({ data: await previewUnsaved(view, body, body) }),
  }),
  defineConsoleEndpoint({
    id: 'campaigns.recurring',
    method: 'GET',
    path: '/console/api/v1/recurring-campaigns',
    summary: 'List recurring campaigns by the time of their next run',
    description: 'They are defined in the manifest, section `campaigns`.',
    access: admin,
    rate: 'read',
    data: Type.Array(
      s.response({
        id: s.uuid(),
        subAccountId: s.uuid(),
        key: Type.String({ examples: ['monday'] }),
        name: Type.String({ examples: ['Newsletter'] }),
        list: s.nullable(Type.String()),
        template: s.nullable(Type.String()),
        subject: Type.String(),
        repeat: Type.String({ description: 'a cron expression', examples: ['0 9 * * MON'] }),
        timezone: s.timeZone(),
        active: Type.Boolean(),
        nextRunAt: s.nullable(s.isoTime()),
        lastRunAt: s.nullable(s.isoTime()),
        lastError: s.nullable(
          Type.String({ description: 'the code of why the last run sent nothing' }),
        ),
        lastCampaign: s.nullable(
          s.response({ id: s.uuid(), status: Type.String(), recipients: count }),
        ),
      }),
    ),
    read: async ({ view }) => ({ data: await listRecurring(view, view.subAccountId) }),
  }),
];
