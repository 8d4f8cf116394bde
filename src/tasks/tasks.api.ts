import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import { changeOf } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { completeTask } from './complete-task.ts';
import { createTask } from './create-task.ts';
import { deleteTask } from './delete-task.ts';
import { findTasks, taskQuery } from './find-tasks.ts';
import { readTask, theTask } from './task.store.ts';
import { taskCreate, taskPatch, taskSchema } from './task.schema.ts';
import { updateTask } from './update-task.ts';

const ofTask = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readTask(view, id),
};

export const taskEndpoints = [
  defineKeyedEndpoint({
    id: 'tasks.list',
    method: 'GET',
    path: '/api/v1/tasks',
    summary: 'List tasks, newest first',
    description:
      '`dueBefore` and `dueAfter` are exclusive. A task without a due date matches neither.',
    access: scope('tasks:read'),
    rate: 'read',
    agent: { tool: 'list_tasks', does: 'Lists tasks of the team.' },
    paged: true,
    query: taskQuery,
    data: Type.Array(taskSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: (call) => findTasks(call),
  }),

  defineKeyedEndpoint({
    id: 'tasks.get',
    method: 'GET',
    path: '/api/v1/tasks/:id',
    summary: 'Get one task',
    access: scope('tasks:read'),
    rate: 'read',
    ...ofTask,
    data: taskSchema,
    read: async ({ view, params: { id } }) => ({ data: await readTask(view, id) }),
  }),

  defineKeyedEndpoint({
    id: 'tasks.create',
    method: 'POST',
    path: '/api/v1/tasks',
    summary: 'Create a task',
    description: 'Fires `task.created` only, even if the task is created as completed.',
    access: scope('tasks:write'),
    rate: 'write',
    agent: { tool: 'save_task', does: 'Creates a task.' },
    body: taskCreate,
    data: taskSchema,
    status: 201,
    write: async ({ work, body }) => ({ data: (await createTask(work, body)).record }),
  }),

  defineKeyedEndpoint({
    id: 'tasks.update',
    method: 'PATCH',
    path: '/api/v1/tasks/:id',
    summary: 'Change the given fields of a task',
    description:
      'Fires `task.updated`, and also `task.completed` if the status becomes `completed`. Cancel with `status: "cancelled"`. Any status other than `completed` clears `completedAt`.',
    access: scope('tasks:write'),
    rate: 'write',
    agent: { tool: 'save_task', does: 'With taskId, changes or completes it.' },
    ...ofTask,
    body: taskPatch,
    data: taskSchema,
    write: changeOf(updateTask, theTask),
  }),

  defineKeyedEndpoint({
    id: 'tasks.complete',
    method: 'PUT',
    path: '/api/v1/tasks/:id/complete',
    summary: 'Complete a task',
    description: 'Fires `task.completed` only. Completing again fires nothing.',
    access: scope('tasks:write'),
    rate: 'write',
    ...ofTask,
    data: taskSchema,
    async write({ work, params: { id } }) {
      await completeTask(work, id);
      return { data: theTask(id) };
    },
  }),

  defineKeyedEndpoint({
    id: 'tasks.delete',
    method: 'DELETE',
    path: '/api/v1/tasks/:id',
    summary: 'Delete a task',
    description: 'Fires `task.deleted`. Getting it then returns 404.',
    access: scope('tasks:write'),
    rate: 'write',
    ...ofTask,
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id } }) {
      await deleteTask(work, id);
      return { data: { id, deleted: true } };
    },
  }),
];
