import { defineEntity, p } from '@mikro-orm/core';

const ProcessSampleTable = defineEntity({
  name: 'ProcessSample',
  tableName: 'process_samples',
  properties: {
    minute: p.datetime().primary(),
    processId: p.uuid().primary(),
    requests: p.integer(),
    /** Responses with a status from 500. */
    errors: p.integer(),
    latencySumMs: p.double(),
    /** Attempts to deliver webhooks. */
    deliveries: p.integer(),
    queueDepth: p.integer(),
  },
});

/** What a process did in one minute. */
export class ProcessSample extends ProcessSampleTable.class {}
ProcessSampleTable.setClass(ProcessSample);
