import { defineJob } from '#core/job.ts';
import { epochMs, request, uuid } from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';
import type { Task } from './task.entity.ts';

/** Tells whoever a task is assigned to that it is due. */
export const remindOfTask = defineJob({
  name: 'tasks/remind',
  payload: request({ subAccountId: uuid(), taskId: uuid(), dueDate: epochMs() }),
  maxAttempts: 25,
});

type Due = Pick<Task, 'id' | 'status'> & Partial<Pick<Task, 'dueDate' | 'assignedTo'>>;

/**
 * Has a reminder go out when the task is due, in place of the one that it had. One that is due
 * already gets none. What makes a reminder pointless later is looked at when it is time.
 */
export function queueReminder(work: Work, { id: taskId, status, dueDate, assignedTo }: Due): void {
  const { subAccountId, now } = work;
  const isOpen = status === 'todo' || status === 'in_review';
  if (isOpen && assignedTo && dueDate && dueDate > now.getTime()) {
    const when = { runAt: new Date(dueDate), key: `${remindOfTask.name}:${taskId}` };
    work.enqueue(remindOfTask, { subAccountId, taskId, dueDate }, when);
  }
}
