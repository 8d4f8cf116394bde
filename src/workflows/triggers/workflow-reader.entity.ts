import { defineEntity, p } from '@mikro-orm/core';

const WorkflowReaderTable = defineEntity({
  name: 'WorkflowReader',
  tableName: 'workflow_readers',
  properties: {
    subAccountId: p.uuid().primary(),
    position: p.bigint('number'),
    /** Events that at least one workflow listens to. */
    names: p.array(),
  },
});

/** How far the events of a sub-account were read for its workflows. */
export class WorkflowReader extends WorkflowReaderTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
WorkflowReaderTable.setClass(WorkflowReader);
