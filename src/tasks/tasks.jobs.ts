import { defineJob, keyOf } from '#core/job.ts';
import { epochMs, request, uuid } from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';
import type { Task } from './task.entity.ts';

/** Reminds the assignee of a task that it is due. */
export const remindOfTask = defineJob({
  name: 'tasks/remind',
  payload: request({ subAccountId: uuid(), taskId: uuid(), dueDate: epochMs() }),
  keyFrom: ['taskId'],
  maxAttempts: 25,
});

type RemindedTask = Pick<Task, 'id' | 'status'> & Partial<Pick<Task, 'dueDate' | 'assignedTo'>>;

/**
 * Queues the reminder of an open task for its due date and replaces the queued one. A task that is
 * already due gets none. The job checks again whether the reminder still applies.
 */
export function queueReminder(
  work: Work,
  { id: taskId, status, dueDate, assignedTo }: RemindedTask,
): void {
  const { subAccountId, now } = work;
  const isOpen = status === 'todo' || status === 'in_review';
  if (isOpen && assignedTo && dueDate && dueDate > now.getTime()) {
    const payload = { subAccountId, taskId, dueDate };
    const key = keyOf(remindOfTask, payload);
    work.enqueue(remindOfTask, payload, { runAt: new Date(dueDate), key });
  }
}
