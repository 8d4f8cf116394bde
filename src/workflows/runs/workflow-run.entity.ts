import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { RUN_STATUSES } from '../definition/workflow.schema.ts';

export const WorkflowRunTable = defineEntity({
  name: 'WorkflowRun',
  tableName: 'workflow_runs',
  uniques: [
    {
      properties: ['subAccountId', 'workflowId', 'contactId'],
      where: 'finished_at is null and not beside_others',
    },
  ],
  properties: {
    ...recordKey(),
    workflowId: p.uuid(),
    versionId: p.uuid(),
    contactId: p.uuid().nullable(),
    status: p.text().$type<(typeof RUN_STATUSES)[number]>(),
    /** Whether the contact may have other unfinished runs of the workflow. */
    besideOthers: p.boolean(),
    /** The event, or the call, that started the run. */
    trigger: p.text(),
    data: p.json<object>().columnType('json'),
    sincePosition: p.bigint('number').nullable(),
    /** The number of runs that caused this one, one after the other. */
    depth: p.integer(),
    /** The first of the runs that caused this one; null if none did, or if this one was refused. */
    root: p.uuid().nullable(),
    /** The next step, as a JSON pointer into the version's steps. */
    place: p.text(),
    /** When the wait ends. */
    dueAt: p.datetime().nullable(),
    /** As `dueAt`, until the wait is over. */
    wakeAt: p.datetime().nullable(),
    /** When the run became due, while it waits for room in the queue. */
    backloggedAt: p.datetime().nullable(),
    waitingFor: p.text().nullable(),
    attempts: p.integer().default(0),
    error: p.text().nullable(),
    ...timestamps(),
    finishedAt: p.datetime().nullable(),
  },
});

export class WorkflowRun extends WorkflowRunTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id, version_id) references workflow_versions (sub_account_id, id)',
    '(sub_account_id, workflow_id) references workflows (sub_account_id, id)',
  ];
}
WorkflowRunTable.setClass(WorkflowRun);
