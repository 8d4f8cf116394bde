import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const WorkflowEffectTable = defineEntity({
  name: 'WorkflowEffect',
  tableName: 'workflow_effects',
  properties: {
    ...recordKey(),
    /** Identifies the event before and after it is published. */
    key: p.text(),
    /** Depth of the run that caused it. */
    depth: p.integer(),
    /** The first run of the chain; null in rows of older releases. */
    root: p.uuid().nullable(),
  },
});

/** An event that a run caused. Detects workflows that start each other in a loop. */
export class WorkflowEffect extends WorkflowEffectTable.class {}
WorkflowEffectTable.setClass(WorkflowEffect);
