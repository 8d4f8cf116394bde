// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Deleted, PageMeta, TaskPriority, TaskStatus } from './shared.ts';

export interface Task {
  id: string;
  title: string;
  description: string | null;
  status: TaskStatus;
  priority: TaskPriority;
  /** epoch ms */
  dueDate: number | null;
  assignedTo: string | null;
  contactId: string | null;
  dealId: string | null;
  /** epoch ms */
  completedAt: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface TasksListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  status?: TaskStatus | undefined;
  assignedTo?: string | undefined;
  contactId?: string | undefined;
  dealId?: string | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  dueBefore?: number | string | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  dueAfter?: number | string | undefined;
}

export interface TasksCreateBody {
  title: string;
  description?: string | null | undefined;
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  dueDate?: number | string | null | undefined;
  assignedTo?: string | null | undefined;
  contactId?: string | null | undefined;
  dealId?: string | null | undefined;
}

export interface TasksUpdateBody {
  title?: string | undefined;
  description?: string | null | undefined;
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  dueDate?: number | string | null | undefined;
  assignedTo?: string | null | undefined;
  contactId?: string | null | undefined;
  dealId?: string | null | undefined;
}

export const tasks = (api: Api) => ({
  /**
   * List tasks, newest first.
   *
   * `dueBefore` and `dueAfter` are exclusive. A task without a due date matches neither.
   *
   * Scope: `tasks:read`.
   */
  list: (query: TasksListQuery = {}, options?: CallOptions) =>
    api.answer<Task[], PageMeta>('GET', path`/api/v1/tasks`, { query, options }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: TasksListQuery = {}, options?: CallOptions) =>
    iterateList<Task, PageMeta>(api, path`/api/v1/tasks`, query, options),

  /**
   * Get one task.
   *
   * Scope: `tasks:read`.
   */
  get: (id: string, options?: CallOptions) =>
    api.data<Task>('GET', path`/api/v1/tasks/${id}`, { options }),

  /**
   * Create a task.
   *
   * Fires `task.created` only, even if the task is created as completed.
   *
   * Scope: `tasks:write`.
   */
  create: (body: TasksCreateBody, options?: CallOptions) =>
    api.data<Task>('POST', path`/api/v1/tasks`, { body, options }),

  /**
   * Change the given fields of a task.
   *
   * Fires `task.updated`, and also `task.completed` if the status becomes `completed`. Cancel
   * with `status: "cancelled"`. Any status other than `completed` clears `completedAt`.
   *
   * Scope: `tasks:write`.
   */
  update: (id: string, body: TasksUpdateBody, options?: CallOptions) =>
    api.data<Task>('PATCH', path`/api/v1/tasks/${id}`, { body, options }),

  /**
   * Complete a task.
   *
   * Fires `task.completed` only. Completing again fires nothing.
   *
   * Scope: `tasks:write`.
   */
  complete: (id: string, options?: CallOptions) =>
    api.data<Task>('PUT', path`/api/v1/tasks/${id}/complete`, { options }),

  /**
   * Delete a task.
   *
   * Fires `task.deleted`. Getting it then returns 404.
   *
   * Scope: `tasks:write`.
   */
  delete: (id: string, options?: CallOptions) =>
    api.data<Deleted>('DELETE', path`/api/v1/tasks/${id}`, { options }),
});
