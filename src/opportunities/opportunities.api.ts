import { Type } from 'typebox';
import { changeOf } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { invalid, type Fault } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { createOpportunity } from './create-opportunity.ts';
import { deleteOpportunity } from './delete-opportunity.ts';
import { findOpportunities, opportunityQuery } from './find-opportunities.ts';
import { moveOpportunity } from './move-opportunity.ts';
import {
  ELSEWHERE,
  opportunityCreate,
  opportunityPatch,
  opportunitySchema,
  stageChange,
  statusChange,
} from './opportunity.schema.ts';
import { readOpportunity, theOpportunity } from './opportunity.store.ts';
import { setOpportunityStatus } from './set-opportunity-status.ts';
import { updateOpportunity } from './update-opportunity.ts';

/** Shared by all paths that name an opportunity. */
const ofOpportunity = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readOpportunity(view, id),
};

export const opportunityEndpoints = [
  defineKeyedEndpoint({
    id: 'opportunities.list',
    method: 'GET',
    path: '/api/v1/opportunities',
    summary: 'List opportunities, newest first',
    description:
      '`search` finds substrings of the name, ignoring case and accents. `tags=a,b` requires both tags. `updatedAfter` (ISO 8601, exclusive) filters by the last change.',
    access: scope('opportunities:read'),
    rate: 'read',
    agent: {
      tool: 'list_deals',
      does: 'Lists deals (opportunities), by stage, status, contact or words.',
    },
    paged: true,
    query: opportunityQuery,
    data: Type.Array(opportunitySchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: (call) => findOpportunities(call),
  }),

  defineKeyedEndpoint({
    id: 'opportunities.get',
    method: 'GET',
    path: '/api/v1/opportunities/:id',
    summary: 'Get one opportunity',
    access: scope('opportunities:read'),
    rate: 'read',
    ...ofOpportunity,
    data: opportunitySchema,
    read: async ({ view, params: { id } }) => ({ data: await readOpportunity(view, id) }),
  }),

  defineKeyedEndpoint({
    id: 'opportunities.create',
    method: 'POST',
    path: '/api/v1/opportunities',
    summary: 'Create an opportunity',
    description:
      "The status is `open`. By default the opportunity gets the pipeline's first stage and the sub-account's currency. Fires `opportunity.created` only.",
    access: scope('opportunities:write'),
    rate: 'write',
    body: opportunityCreate,
    data: opportunitySchema,
    status: 201,
    write: async ({ work, body }) => ({ data: (await createOpportunity(work, body)).record }),
  }),

  defineKeyedEndpoint({
    id: 'opportunities.update',
    method: 'PATCH',
    path: '/api/v1/opportunities/:id',
    summary: 'Change the given fields of an opportunity',
    description:
      '`customFields` are merged by key, and null removes a value. `tags` are replaced. Status and stage have their own endpoints; the pipeline cannot be changed. Fires `opportunity.updated`, or nothing if nothing differs.',
    access: scope('opportunities:write'),
    rate: 'write',
    ...ofOpportunity,
    body: opportunityPatch,
    data: opportunitySchema,
    precheck: async ({ body }) => misplacedIn(body),
    write: changeOf(updateOpportunity, theOpportunity),
  }),

  defineKeyedEndpoint({
    id: 'opportunities.move',
    method: 'PUT',
    path: '/api/v1/opportunities/:id/stage',
    summary: 'Move an opportunity to another stage of its pipeline',
    description:
      'Fires `opportunity.stage_changed`, or nothing if the opportunity is already in that stage.',
    access: scope('opportunities:write'),
    rate: 'write',
    ...ofOpportunity,
    body: stageChange,
    data: opportunitySchema,
    async write({ work, params: { id }, body }) {
      await moveOpportunity(work, id, body.stageId);
      return { data: theOpportunity(id) };
    },
  }),

  defineKeyedEndpoint({
    id: 'opportunities.set-status',
    method: 'PUT',
    path: '/api/v1/opportunities/:id/status',
    summary: 'Set the status of an opportunity',
    description:
      'Any status may follow any other. `lostReason` is allowed only with `lost`; other statuses clear it. `closedAt` is set for every status except `open`. Fires `opportunity.updated`.',
    access: scope('opportunities:write'),
    rate: 'write',
    ...ofOpportunity,
    body: statusChange,
    data: opportunitySchema,
    write: changeOf(setOpportunityStatus, theOpportunity),
  }),

  defineKeyedEndpoint({
    id: 'opportunities.delete',
    method: 'DELETE',
    path: '/api/v1/opportunities/:id',
    summary: 'Delete an opportunity',
    description: 'Fires `opportunity.deleted`. Getting it then returns 404.',
    access: scope('opportunities:write'),
    rate: 'write',
    ...ofOpportunity,
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id } }) {
      await deleteOpportunity(work, id);
      return { data: { id, deleted: true } };
    },
  }),
];

/** Returns a fault that names the endpoint of each field that PATCH does not accept (contract 8). */
function misplacedIn(body: object): Fault | undefined {
  const issues = ELSEWHERE.filter(([name]) => Object.hasOwn(body, name)).map(([name, message]) => ({
    in: 'body' as const,
    path: `/${name}`,
    message,
  }));
  return issues.length > 0 ? invalid(issues) : undefined;
}
