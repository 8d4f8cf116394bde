import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const WorkflowSignalTable = defineEntity({
  name: 'WorkflowSignal',
  tableName: 'workflow_signals',
  properties: {
    ...recordKey(),
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
