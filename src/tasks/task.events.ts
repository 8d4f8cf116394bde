import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { webhookEvent } from '#core/event.ts';
import { TASK_PRIORITIES, TASK_STATUSES } from './task.schema.ts';
import type { Task } from './task.entity.ts';

const task = {
  taskId: s.uuid(),
  title: Type.String({ examples: ['Call Ada back'] }),
  status: s.oneOf(TASK_STATUSES),
  priority: s.oneOf(TASK_PRIORITIES, { examples: ['medium'] }),
};

export const taskCreated = webhookEvent({
  name: 'task.created',
  summary: 'a task was created',
  data: Type.Object({
    ...task,
    dueDate: s.nullable(Type.Integer({ description: 'epoch ms', examples: [1_796_137_200_000] })),
    assignedTo: s.nullable(s.uuid()),
  }),
});

/** There is no `task.cancelled`: cancelling is an update with `changedFields: ["status"]`. */
export const taskUpdated = webhookEvent({
  name: 'task.updated',
  summary: 'a task was changed or cancelled',
  data: Type.Object({
    ...task,
    changedFields: Type.Array(Type.String(), { examples: [['status']] }),
  }),
});

export const taskCompleted = webhookEvent({
  name: 'task.completed',
  summary: 'a task was completed',
  data: Type.Object({
    ...task,
    status: s.oneOf(['completed']),
    completedAt: Type.Integer({ description: 'epoch ms', examples: [1_796_115_600_000] }),
  }),
});

export const taskDeleted = webhookEvent({
  name: 'task.deleted',
  summary: 'a task was deleted',
  data: Type.Object(task),
});

/** Returns the data that every event of a task has. */
export const factsOf = ({
  id,
  title,
  status,
  priority,
}: Pick<Task, 'id' | 'title' | 'status' | 'priority'>) => ({ taskId: id, title, status, priority });

export const completionOf = (task: Task, now: Date) => ({
  ...factsOf(task),
  status: 'completed' as const,
  completedAt: now.getTime(),
});
