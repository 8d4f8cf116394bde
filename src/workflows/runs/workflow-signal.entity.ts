import { defineEntity, p } from '@mikro-orm/core';

const WorkflowSignalTable = defineEntity({
  name: 'WorkflowSignal',
  tableName: 'workflow_signals',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: p.uuid(),
    event: p.text(),
  },
});

/** An event that occurred before its run reached the step that waits for it. */
export class WorkflowSignal extends WorkflowSignalTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, run_id) references workflow_runs (sub_account_id, id) on delete cascade',
  ];
}
WorkflowSignalTable.setClass(WorkflowSignal);
