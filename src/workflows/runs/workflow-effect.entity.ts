import { defineEntity, p } from '@mikro-orm/core';

const WorkflowEffectTable = defineEntity({
  name: 'WorkflowEffect',
  tableName: 'workflow_effects',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Recognises the event once it is published. */
    key: p.text(),
    /** Depth of the run that caused it. */
    depth: p.integer(),
  },
});

/** An event that a run caused, so that runs cannot start each other without end. */
export class WorkflowEffect extends WorkflowEffectTable.class {}
WorkflowEffectTable.setClass(WorkflowEffect);
