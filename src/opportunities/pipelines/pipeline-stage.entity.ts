import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';

const PipelineStageTable = defineEntity({
  name: 'PipelineStage',
  tableName: 'pipeline_stages',
  uniques: [
    { properties: ['subAccountId', 'pipelineId', 'id'] },
    { properties: ['subAccountId', 'pipelineId', 'key'] },
  ],
  properties: {
    ...recordKey(),
    pipelineId: p.uuid(),
    key: p.text(),
    name: p.text(),
    position: p.integer(),
    /** Probability of winning, in percent. */
    probability: p.integer(),
    ...timestamps(),
  },
});

export class PipelineStage extends PipelineStageTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(sub_account_id, pipeline_id) references pipelines (sub_account_id, id) on delete cascade',
  ];
}
PipelineStageTable.setClass(PipelineStage);
