import { defineEntity, p } from '@mikro-orm/core';

const WorkerPauseTable = defineEntity({
  name: 'WorkerPause',
  tableName: 'holding',
  properties: {
    id: p.boolean().primary().default(true),
    heldSince: p.datetime().nullable(),
    reason: p.text().nullable(),
    /** How often the workers were resumed; a worker that starts paused waits for the next resume. */
    releases: p.integer().default(0),
  },
});

/** One row: whether the workers of this installation are paused. */
export class WorkerPause extends WorkerPauseTable.class {}
WorkerPauseTable.setClass(WorkerPause);
