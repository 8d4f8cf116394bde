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
    description: 'The first one is the default. Pipelines are set up by the manifest.',
    access: scope('opportunities:read'),
    rate: 'read',
    data: Type.Array(pipelineSchema),
    read: async ({ view }) => ({ data: await findPipelines(view) }),
  }),

  defineKeyedEndpoint({
    id: 'pipelines.summary',
    method: 'GET',
    path: '/api/v1/pipelines/:id/summary',
    summary: 'Count and value of the open opportunities in each stage',
    description:
      'Won, lost, abandoned and deleted ones are left out. Values are summed by currency; `weightedValue` is the value times the probability of its stage.',
    access: scope('opportunities:read'),
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => summarisePipeline(view, id),
    data: summarySchema,
    read: async ({ view, params: { id } }) => ({ data: await summarisePipeline(view, id) }),
  }),
];
