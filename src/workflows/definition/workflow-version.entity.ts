import { defineEntity, p } from '@mikro-orm/core';
import type { Step } from './workflow.schema.ts';

const WorkflowVersionTable = defineEntity({
  name: 'WorkflowVersion',
  tableName: 'workflow_versions',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    workflowId: p.uuid(),
    steps: p.json<readonly Step[]>().columnType('json'),
    /** Names of the events that steps wait for. */
    goals: p.array(),
    createdAt: p.datetime(),
  },
});

/** Steps of a workflow, never changed: a run ends on the version that it started with. */
export class WorkflowVersion extends WorkflowVersionTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, workflow_id) references workflows (sub_account_id, id)',
  ];
}
WorkflowVersionTable.setClass(WorkflowVersion);
