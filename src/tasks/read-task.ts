import type { Answer } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import type { Json } from '#kit/json.ts';
import { recordShape } from '#kit/record.ts';
import type { PointRead, View } from '#kit/work.ts';
import { taskShape } from './task.shape.ts';

/** Task `t` as every endpoint shows it. */
export const taskRecord = recordShape(taskShape, 't');

const TASK: PointRead = {
  record: taskRecord,
  text: `select wanted.n, ${taskRecord.members}
    from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (sub_account_id, id, n)
    join tasks t on t.sub_account_id = wanted.sub_account_id and t.id = wanted.id
    where t.deleted_at is null`,
};

export async function readTask(view: View, id: string): Promise<Json> {
  const task = await view.point(TASK, id);
  if (!task) {
    throw notFound('task');
  }
  return task;
}

/** Answers a change with the task as it is after it. */
export const theTask =
  (id: string): Answer =>
  (view) =>
    readTask(view, id);
