import type { Task } from './task.entity.ts';
import { WRITABLE_FIELDS, type TaskPatch } from './task.schema.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { queueReminder } from './tasks.jobs.ts';

/** What of a task a change looks at. */
export type ChangeableTask = Pick<Task, (typeof WRITABLE_FIELDS)[number] | 'completedAt'>;

export interface TaskChange {
  /** The fields that come out different, in the order of their declaration. */
  readonly fields: TaskPatch;
  readonly completedAt: number | null;
  /** The task was not completed before and is now. */
  readonly completes: boolean;
}

/** What a patch makes of a task; nothing where all comes out the same. Changes nothing itself. */
export function changeOf(
  task: ChangeableTask,
  patch: TaskPatch,
  now: Date,
): TaskChange | undefined {
  const changed = WRITABLE_FIELDS.filter(
    (field) => patch[field] !== undefined && patch[field] !== (task[field] ?? null),
  );
  if (changed.length === 0) {
    return undefined;
  }
  const fields: TaskPatch = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  if (fields.status === undefined) {
    return { fields, completedAt: task.completedAt ?? null, completes: false };
  }
  const completes = fields.status === 'completed';
  return { fields, completedAt: completes ? now.getTime() : null, completes };
}

/** Makes a change to a locked task; what it fires is the caller's to say. */
export function applyChange(work: Work, task: Task, { fields, completedAt }: TaskChange): void {
  Object.assign(task, fields);
  task.completedAt = completedAt;
  task.updatedAt = work.now;
  refuseUnknownAssignee(work, 'tasks');
  work.audit(task.id);
  if (ABOUT_REMINDER.some((field) => field in fields)) {
    queueReminder(work, task);
  }
}

/** What decides whether there is a reminder, and when. */
const ABOUT_REMINDER = ['status', 'dueDate', 'assignedTo'];
