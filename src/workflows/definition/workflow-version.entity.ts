import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { Step } from './workflow.schema.ts';

const WorkflowVersionTable = defineEntity({
  name: 'WorkflowVersion',
  tableName: 'workflow_versions',
  properties: {
    ...recordKey(),
    workflowId: p.uuid(),
    steps: p.json<readonly Step[]>().columnType('json'),
    /** Names of the events that steps wait for. */
    goals: p.array(),
    createdAt: p.datetime(),
  },
});

/** The steps of a workflow. A version never changes, and a run stays on the version it started with. */
export class WorkflowVersion extends WorkflowVersionTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, workflow_id) references workflows (sub_account_id, id)',
  ];
}
WorkflowVersionTable.setClass(WorkflowVersion);
