import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { FormerTriggers, Trigger } from './workflow.schema.ts';

export const WorkflowTable = defineEntity({
  name: 'Workflow',
  tableName: 'workflows',
  uniques: [{ properties: ['subAccountId', 'slug'], where: 'deleted_at is null' }],
  properties: {
    ...recordKey(),
    /** Part of the URL of incoming calls. */
    slug: p.text(),
    name: p.text(),
    active: p.boolean(),
    /** Whether a contact may have several runs at once. */
    reenter: p.boolean(),
    createContact: p.boolean(),
    triggers: p.json<readonly Trigger[]>().columnType('json'),
    /** Triggers that it had while it was active, for events that are not read yet; oldest first. */
    formerTriggers: p.json<readonly FormerTriggers[]>().columnType('jsonb').default('[]'),
    /** Names of the events that start a run. */
    listensTo: p.array(),
    /** Events up to this position happened before the workflow was active. */
    sincePosition: p.bigint('number'),
    /** Sealed; signs incoming calls. */
    secret: p.blob().nullable(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
  },
});

export class Workflow extends WorkflowTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
WorkflowTable.setClass(Workflow);
