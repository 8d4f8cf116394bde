import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import type { TaskChange } from './task-change.ts';
import type { Task } from './task.entity.ts';
import { queueReminder } from './tasks.jobs.ts';

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
