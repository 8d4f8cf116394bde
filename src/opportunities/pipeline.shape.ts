import type { Static } from 'typebox';
import * as s from '#kit/schema.ts';
import { Type } from '#kit/type.ts';

const place = Type.Integer({ minimum: 0 });
const probability = Type.Integer({ minimum: 0, maximum: 100, description: 'of winning, per cent' });

/** A pipeline as it is shown (contract 8). */
export const pipelineShape = s.answer({
  id: s.uuid(),
  name: Type.String(),
  position: place,
  isDefault: Type.Boolean(),
  stages: Type.Array(s.answer({ id: s.uuid(), name: Type.String(), position: place, probability })),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});

const values = Type.Array(
  s.answer({
    currency: Type.String(),
    value: Type.Number(),
    weightedValue: Type.Number({ description: "by the stage's probability" }),
  }),
  { description: 'one for each currency in which anything has a value' },
);
const holding = { count: Type.Integer({ minimum: 0 }), values };

/** What stands open in a pipeline. */
export const summaryShape = s.answer({
  id: s.uuid(),
  name: Type.String(),
  stages: Type.Array(
    s.answer({
      stageId: s.uuid(),
      name: Type.String(),
      position: place,
      probability,
      ...holding,
    }),
  ),
  totals: s.answer(holding),
});
export type PipelineSummary = Static<typeof summaryShape>;
export type Holding = PipelineSummary['totals'];
