import { defineEntity, p } from '@mikro-orm/core';
import type { ProcessFigures, ProcessKind } from './heartbeats.ts';

const RunningProcessTable = defineEntity({
  name: 'RunningProcess',
  tableName: 'processes',
  properties: {
    id: p.uuid().primary(),
    kind: p.text().$type<ProcessKind>(),
    host: p.text(),
    pid: p.integer(),
    seenAt: p.datetime(),
    clockAheadMs: p.bigint('number'),
    figures: p.json<ProcessFigures>(),
  },
});

/** The latest heartbeat of a server or worker process. */
export class RunningProcess extends RunningProcessTable.class {}
RunningProcessTable.setClass(RunningProcess);
