import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { findPipelines } from './find-pipelines.ts';
import { pipelineSchema, summarySchema } from './pipeline.schema.ts';
import { summarisePipeline } from './summarise-pipeline.ts';

export const pipelineEndpoints = [
  defineKeyedEndpoint({
    id: 'pipelines.list',
    method: 'GET',
    path: '/api/v1/pipelines',
    summary: 'List all pipelines with their stages, in order',
    description: 'The first pipeline is the default. Pipelines are configured in the manifest.',
    access: scope('opportunities:read'),
    rate: 'read',
    data: Type.Array(pipelineSchema),
    read: async ({ view }) => ({ data: await findPipelines(view) }),
  }),

  defineKeyedEndpoint({
    id: 'pipelines.summary',
    method: 'GET',
    path: '/api/v1/pipelines/:id/summary',
    summary: 'Get count and value of the open opportunities by stage',
    description:
      'Ignores won, lost, abandoned and deleted opportunities. Values are summed by currency; `weightedValue` is the value times the probability of its stage.',
    access: scope('opportunities:read'),
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => summarisePipeline(view, id),
    data: summarySchema,
    read: async ({ view, params: { id } }) => ({ data: await summarisePipeline(view, id) }),
  }),
];
