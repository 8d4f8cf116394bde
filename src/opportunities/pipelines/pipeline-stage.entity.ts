import { defineEntity, p } from '@mikro-orm/core';

const PipelineStageTable = defineEntity({
  name: 'PipelineStage',
  tableName: 'pipeline_stages',
  uniques: [
    { properties: ['subAccountId', 'pipelineId', 'id'] },
    { properties: ['subAccountId', 'pipelineId', 'key'] },
  ],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    pipelineId: p.uuid(),
    key: p.text(),
    name: p.text(),
    position: p.integer(),
    /** Probability of winning, in percent. */
    probability: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class PipelineStage extends PipelineStageTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(sub_account_id, pipeline_id) references pipelines (sub_account_id, id) on delete cascade',
  ];
}
PipelineStageTable.setClass(PipelineStage);
