import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { factsOf, taskDeleted } from './task.events.ts';
import { lockTask } from './task.store.ts';

/** Soft-deletes a task. */
export async function deleteTask(work: Work, id: string): Promise<void> {
  const task = await lockTask(work, id);
  task.deletedAt = work.now;
  task.updatedAt = work.now;
  work.audit(id);
  const about = await aboutContact(work, task.contactId ?? null);
  await work.emit(taskDeleted, { ...about, data: factsOf(task) });
}
