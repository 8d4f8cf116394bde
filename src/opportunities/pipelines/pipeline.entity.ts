import { defineEntity, p } from '@mikro-orm/core';

const PipelineTable = defineEntity({
  name: 'Pipeline',
  tableName: 'pipelines',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    name: p.text(),
    position: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class Pipeline extends PipelineTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
PipelineTable.setClass(Pipeline);
