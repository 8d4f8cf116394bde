import { answerOf, readerOf } from '#kit/live-records.ts';
import { recordShape } from '#kit/record.ts';
import { taskShape } from './task.shape.ts';

/** Task `t` as every endpoint shows it. */
export const taskRecord = recordShape(taskShape, 't');

export const liveTasks = { table: 'tasks', alias: 't', record: taskRecord } as const;

export const readTask = readerOf('task', liveTasks);
export const theTask = answerOf(readTask);
