import { defineEntity, p } from '@mikro-orm/core';

const WorkflowReaderTable = defineEntity({
  name: 'WorkflowReader',
  tableName: 'workflow_readers',
  properties: {
    subAccountId: p.uuid().primary(),
    position: p.bigint('number'),
    /** Events that at least one workflow listens to. */
    names: p.array(),
    /** Unexpected errors in a row at this position. */
    failures: p.integer().default(0),
  },
});

/** The position up to which the workflows of a sub-account have read its events. */
export class WorkflowReader extends WorkflowReaderTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
WorkflowReaderTable.setClass(WorkflowReader);
