import type { Task } from './task.entity.ts';
import { WRITABLE_FIELDS, type TaskPatch } from './task.schema.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { queueReminder } from './tasks.jobs.ts';

/** The fields that a change compares. */
export type ChangeableTask = Pick<Task, (typeof WRITABLE_FIELDS)[number] | 'completedAt'>;

export interface TaskChange {
  /** The fields that differ, in the order of their declaration. */
  readonly fields: TaskPatch;
  readonly completedAt: number | null;
  /** The task was not completed before and is now. */
  readonly completes: boolean;
}

/** Returns what a patch changes, or undefined if nothing differs. */
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

/** Applies a change to a locked task. The caller emits the events. */
export function applyChange(work: Work, task: Task, { fields, completedAt }: TaskChange): void {
  Object.assign(task, fields);
  task.completedAt = completedAt;
  task.updatedAt = work.now;
  refuseUnknownAssignee(work, 'tasks');
  work.audit(task.id);
  if (REMINDER_FIELDS.some((field) => field in fields)) {
    queueReminder(work, task);
  }
}

/** The fields on which the reminder depends. */
const REMINDER_FIELDS = ['status', 'dueDate', 'assignedTo'];
