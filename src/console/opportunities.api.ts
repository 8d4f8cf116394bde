import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import { recordSchema } from '#core/schema/record.ts';
import { changeOf } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { contactNameOf } from '../contacts/contact.store.ts';
import { findOpportunities, opportunityQuery } from '../opportunities/find-opportunities.ts';
import { opportunitySchema, statusChange } from '../opportunities/opportunity.schema.ts';
import {
  liveOpportunities,
  readOpportunity,
  theOpportunity,
} from '../opportunities/opportunity.store.ts';
import { forecastPipeline, forecastSchema } from '../opportunities/pipelines/forecast-pipeline.ts';
import { markOpportunity } from '../opportunities/set-opportunity-status.ts';

const params = s.request({ id: s.uuid() });

const rowSchema = s.response({
  ...opportunitySchema.properties,
  contactName: s.nullable(Type.String({ examples: ['Ada Lovelace'] })),
});

/** The rows of the list, which names the contacts. */
const listed = {
  ...liveOpportunities,
  record: recordSchema(rowSchema, 'o', { contactName: contactNameOf('o') }),
};

/** Endpoints of the board and the list of opportunities that only the console has. */
export const dealEndpoints = [
  defineConsoleEndpoint({
    id: 'opportunities.list',
    method: 'GET',
    path: '/console/api/v1/opportunities',
    summary: 'List opportunities with the names of their contacts, newest first',
    description: 'Takes the parameters of the API.',
    access: memberScope('opportunities:read'),
    rate: 'read',
    paged: true,
    query: opportunityQuery,
    data: Type.Array(rowSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: (call) => findOpportunities(call, listed),
  }),
  defineConsoleEndpoint({
    id: 'opportunities.mark',
    method: 'PUT',
    path: '/console/api/v1/opportunities/:id/outcome',
    summary: 'Mark an opportunity as won, lost, abandoned or open',
    description:
      'Like the status endpoint of the API, and as a person: fires `opportunity.won` or `opportunity.lost` in addition to `opportunity.updated`, where the status changes.',
    access: memberScope('opportunities:write'),
    rate: 'write',
    params,
    assertExists: (view, { id }) => readOpportunity(view, id),
    body: statusChange,
    data: opportunitySchema,
    write: changeOf(markOpportunity, theOpportunity),
  }),
  defineConsoleEndpoint({
    id: 'pipelines.forecast',
    method: 'GET',
    path: '/console/api/v1/pipelines/:id/forecast',
    summary: 'Get the values of open opportunities by month of their expected close',
    description: 'Months are those of the time zone of the sub-account.',
    access: memberScope('opportunities:read'),
    rate: 'read',
    params,
    assertExists: (view: View, { id }) => forecastPipeline(view, id),
    data: forecastSchema,
    read: async ({ view, params: { id } }) => ({ data: await forecastPipeline(view, id) }),
  }),
];
