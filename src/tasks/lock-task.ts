import { lockerOf } from '#platform/database/lock-live.ts';
import { Task } from './task.entity.ts';

export const lockTask = lockerOf<Task>('task', Task);
