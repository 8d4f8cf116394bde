import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/about-contact.ts';
import { factsOf } from './about-task.ts';
import type { Task } from './task.entity.ts';
import { taskUpdated } from './task.events.ts';

/** Cancels what is still open for a contact that is deleted, each task with an event of its own. */
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
