import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { TASK_PRIORITIES, TASK_STATUSES } from './task.schema.ts';

export const TaskTable = defineEntity({
  name: 'Task',
  tableName: 'tasks',
  properties: {
    ...recordKey(),
    title: p.text(),
    description: p.text().nullable(),
    status: p.text().$type<(typeof TASK_STATUSES)[number]>(),
    priority: p.text().$type<(typeof TASK_PRIORITIES)[number]>(),
    /** Epoch milliseconds, like `completedAt`. */
    dueDate: p.bigint('number').nullable(),
    /** Set while the task is completed. */
    completedAt: p.bigint('number').nullable(),
    assignedTo: p.uuid().nullable(),
    contactId: p.uuid().nullable(),
    dealId: p.uuid().nullable(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
    /** The due date that a reminder was sent for. */
    remindedOf: p.bigint('number').nullable(),
  },
});

export class Task extends TaskTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, assigned_to) references team_members (sub_account_id, id) on delete set null (assigned_to)',
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id, deal_id) references opportunities (sub_account_id, id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
TaskTable.setClass(Task);
