// Written by `node sdk/generate.ts` from the declarations in src/.
import type { TaskPriority, TaskStatus } from './shared.ts';

export interface TaskEvents {
  /** Fires when: a task was created. */
  'task.created': {
    taskId: string;
    title: string;
    status: TaskStatus;
    priority: TaskPriority;
    /** epoch ms */
    dueDate: number | null;
    assignedTo: string | null;
  };
  /** Fires when: a task was changed or cancelled. */
  'task.updated': {
    taskId: string;
    title: string;
    status: TaskStatus;
    priority: TaskPriority;
    changedFields: string[];
  };
  /** Fires when: a task was completed. */
  'task.completed': {
    taskId: string;
    title: string;
    status: 'completed';
    priority: TaskPriority;
    /** epoch ms */
    completedAt: number;
  };
  /** Fires when: a task was deleted. */
  'task.deleted': {
    taskId: string;
    title: string;
    status: TaskStatus;
    priority: TaskPriority;
  };
}
