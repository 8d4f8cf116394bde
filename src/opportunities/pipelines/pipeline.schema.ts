import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

const place = Type.Integer({ minimum: 0 });
const probability = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'probability of winning, in percent',
});

export const pipelineSchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  position: place,
  isDefault: Type.Boolean(),
  stages: Type.Array(
    s.response({ id: s.uuid(), name: Type.String(), position: place, probability }),
  ),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});

const values = Type.Array(
  s.response({
    currency: Type.String(),
    value: Type.Number(),
    weightedValue: Type.Number({ description: 'the value times the probability of its stage' }),
  }),
  { description: 'one entry per currency' },
);
const stageUse = { count: Type.Integer({ minimum: 0 }), values };

/** The open opportunities of a pipeline. */
export const summarySchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  stages: Type.Array(
    s.response({
      stageId: s.uuid(),
      name: Type.String(),
      position: place,
      probability,
      ...stageUse,
    }),
  ),
  totals: s.response(stageUse),
});
export type PipelineSummary = Static<typeof summarySchema>;
export type StageUse = PipelineSummary['totals'];
