import { defineEntity, p } from '@mikro-orm/core';

const PipelineStageTable = defineEntity({
  name: 'PipelineStage',
  tableName: 'pipeline_stages',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    pipelineId: p.uuid(),
    key: p.text(),
    name: p.text(),
    position: p.integer(),
    /** Of winning, in percent. */
    probability: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class PipelineStage extends PipelineStageTable.class {}
PipelineStageTable.setClass(PipelineStage);
