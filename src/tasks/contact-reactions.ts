import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { factsOf, taskUpdated } from './task.events.ts';
import type { Task } from './task.entity.ts';
import { moveToKept } from '../contacts/merge/move-to-kept.ts';

/** Cancels the open tasks of a deleted contact and emits one event per task. */
export async function cancelTasksOfContact(
  work: Work,
  { contactId }: Occurrence<object>,
): Promise<void> {
  const values = [work.subAccountId, contactId, work.now];
  const cancelled = await work.rows<CancelledTask>(CANCEL, values);
  if (cancelled.length === 0) {
    return;
  }
  const about = await aboutContact(work, contactId);
  for (const task of cancelled) {
    const data = { ...factsOf(task), changedFields: ['status'] };
    await work.emit(taskUpdated, { ...about, data });
  }
}

type CancelledTask = Pick<Task, 'id' | 'title' | 'status' | 'priority'>;

const CANCEL = `with cancelled as (
    update tasks set status = 'cancelled', updated_at = $3
    where sub_account_id = $1 and contact_id = $2 and deleted_at is null
      and status in ('todo', 'in_review')
    returning id, title, status, priority
  )
  select * from cancelled order by id`;

/** Moves the tasks of a merged contact to the kept one, without events. */
export const moveTasksOfContact = moveToKept({
  table: 'tasks',
  isDated: true,
  only: 'deleted_at is null',
});
