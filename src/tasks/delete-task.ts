import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/about-contact.ts';
import { factsOf } from './about-task.ts';
import { lockTask } from './lock-task.ts';
import { taskDeleted } from './task.events.ts';

/** Soft delete. */
export async function deleteTask(work: Work, id: string): Promise<void> {
  const task = await lockTask(work, id);
  task.deletedAt = work.now;
  task.updatedAt = work.now;
  work.audit(id);
  const about = await aboutContact(work, task.contactId ?? null);
  await work.emit(taskDeleted, { ...about, data: factsOf(task) });
}
