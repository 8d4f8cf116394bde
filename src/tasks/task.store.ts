import { recordSchema } from '#core/schema/record.ts';
import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { lockerOf } from '#platform/database/lock-live.ts';
import { Task } from './task.entity.ts';
import { taskSchema } from './task.schema.ts';

/** Task `t` as every endpoint shows it. */
export const taskRecord = recordSchema(taskSchema, 't');

export const liveTasks = { table: 'tasks', alias: 't', record: taskRecord } as const;

export const readTask = readerOf('task', liveTasks);
export const theTask = answerOf(readTask);

/** Returns the live task, locked against every other writer. Throws `NOT_FOUND`. */
export const lockTask = lockerOf<Task>('task', Task);
