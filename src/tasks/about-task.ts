import type { Task } from './task.entity.ts';

/** What every event of a task says of it. */
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
