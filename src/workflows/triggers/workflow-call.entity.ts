import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const WorkflowCallTable = defineEntity({
  name: 'WorkflowCall',
  tableName: 'workflow_calls',
  properties: {
    ...recordKey(),
    expiresAt: p.datetime(),
  },
});

/** A signed call that was accepted. A second call with the same signature is a replay. */
export class WorkflowCall extends WorkflowCallTable.class {}
WorkflowCallTable.setClass(WorkflowCall);
