import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';

const PipelineTable = defineEntity({
  name: 'Pipeline',
  tableName: 'pipelines',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    position: p.integer(),
    ...timestamps(),
  },
});

export class Pipeline extends PipelineTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
PipelineTable.setClass(Pipeline);
