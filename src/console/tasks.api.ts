import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import { contactNameOf } from '../contacts/contact.store.ts';
import { findTasks, taskQuery } from '../tasks/find-tasks.ts';
import { taskSchema } from '../tasks/task.schema.ts';
import { liveTasks } from '../tasks/task.store.ts';

const rowSchema = s.response({
  ...taskSchema.properties,
  contactName: s.nullable(Type.String({ examples: ['Ada Lovelace'] })),
});

/** The rows of the list, which names the contacts. */
const listed = {
  ...liveTasks,
  record: recordSchema(rowSchema, 't', { contactName: contactNameOf('t') }),
};

/** The list of tasks that only the console has. */
export const taskPageEndpoints = [
  defineConsoleEndpoint({
    id: 'tasks.list',
    method: 'GET',
    path: '/console/api/v1/tasks',
    summary: 'List tasks with the names of their contacts, newest first',
    description: 'Takes the parameters of the API.',
    access: memberScope('tasks:read'),
    rate: 'read',
    paged: true,
    query: taskQuery,
    data: Type.Array(rowSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: (call) => findTasks(call, listed),
  }),
];
