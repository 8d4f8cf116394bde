import { defineEntity, p } from '@mikro-orm/core';

const WorkflowCallTable = defineEntity({
  name: 'WorkflowCall',
  tableName: 'workflow_calls',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    expiresAt: p.datetime(),
  },
});

/** A signed call that was accepted. A second call with the same signature is a replay. */
export class WorkflowCall extends WorkflowCallTable.class {}
WorkflowCallTable.setClass(WorkflowCall);
