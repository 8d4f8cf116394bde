import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { factsOf, taskCreated } from './task.events.ts';
import { lockLinks, requireLinks, taskRecord } from './task.store.ts';
import { WRITABLE_FIELDS, type TaskCreate } from './task.schema.ts';
import { queueReminder } from './tasks.jobs.ts';

export interface Created {
  readonly id: string;
  /** Returns the task as endpoints show it; throws before the work is committed. */
  readonly record: () => Json;
}

/** Creates a task. A task created as completed emits `task.created` only. */
export async function createTask(work: Work, input: TaskCreate): Promise<Created> {
  const links = await lockLinks(work, input);
  requireLinks(links, input);
  const task = newTask(work, input);
  const values = RECORD_MEMBERS.map((member) => task[member]);
  const record = work.writeRecord(INSERT_TASK, values, taskRecord);
  refuseUnknownAssignee(work, 'tasks');
  work.audit(task.id);
  queueReminder(work, task);
  await work.emit(taskCreated, {
    contactId: task.contactId,
    tags: links.contact?.tags ?? [],
    data: { ...factsOf(task), dueDate: task.dueDate, assignedTo: task.assignedTo },
  });
  return { id: task.id, record };
}

const newTask = ({ subAccountId, now }: Work, input: TaskCreate) => ({
  ...EMPTY,
  ...input,
  subAccountId,
  id: newId(now),
  completedAt: input.status === 'completed' ? now.getTime() : null,
  createdAt: now,
  updatedAt: now,
});

const EMPTY = {
  description: null,
  status: 'todo',
  priority: 'medium',
  dueDate: null,
  assignedTo: null,
  contactId: null,
  dealId: null,
} as const;

/** Members of a new task's record: each is a column of `tasks`. */
const RECORD_MEMBERS = [
  'subAccountId',
  'id',
  ...WRITABLE_FIELDS,
  'completedAt',
  'createdAt',
  'updatedAt',
] as const;

const INSERT_TASK = `${insertInto('tasks as t', RECORD_MEMBERS)} returning ${taskRecord.members}`;
