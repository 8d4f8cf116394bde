import type { Task } from './task.entity.ts';
import { WRITABLE_FIELDS, type TaskPatch } from './task.schema.ts';

/** What of a task a change looks at. */
export type ChangeableTask = Pick<Task, (typeof WRITABLE_FIELDS)[number] | 'completedAt'>;

export interface TaskChange {
  /** The fields that come out different, in the order of their declaration. */
  readonly fields: TaskPatch;
  readonly completedAt: number | null;
  /** The task was not completed before and is now. */
  readonly completes: boolean;
}

/** What a patch makes of a task; nothing where all comes out the same. Changes nothing itself. */
export function changeOf(
  task: ChangeableTask,
  patch: TaskPatch,
  now: Date,
): TaskChange | undefined {
  const changed = WRITABLE_FIELDS.filter(
    (field) => patch[field] !== undefined && patch[field] !== (task[field] ?? null),
  );
  if (changed.length === 0) {
    return undefined;
  }
  const fields: TaskPatch = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  if (fields.status === undefined) {
    return { fields, completedAt: task.completedAt ?? null, completes: false };
  }
  const completes = fields.status === 'completed';
  return { fields, completedAt: completes ? now.getTime() : null, completes };
}
