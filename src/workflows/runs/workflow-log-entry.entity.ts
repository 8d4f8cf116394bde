import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const WorkflowLogEntryTable = defineEntity({
  name: 'WorkflowLogEntry',
  tableName: 'workflow_log',
  uniques: [{ properties: ['subAccountId', 'runId', 'place'] }],
  properties: {
    ...recordKey(),
    runId: p.uuid(),
    place: p.text(),
    step: p.text(),
    outcome: p.text(),
    detail: p.text().nullable(),
    at: p.datetime(),
  },
});

/** A step that a run took. The unique key prevents taking it twice. */
export class WorkflowLogEntry extends WorkflowLogEntryTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, run_id) references workflow_runs (sub_account_id, id) on delete cascade',
  ];
}
WorkflowLogEntryTable.setClass(WorkflowLogEntry);
