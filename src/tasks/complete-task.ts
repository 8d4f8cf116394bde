import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { completionOf, taskCompleted } from './task.events.ts';
import { applyChange, changeOf, lockTask } from './task.store.ts';

/** Completes a task, even a cancelled one. Completing it again writes and emits nothing. */
export async function completeTask(work: Work, id: string): Promise<void> {
  const task = await lockTask(work, id);
  const change = changeOf(task, { status: 'completed' }, work.now);
  if (change) {
    applyChange(work, task, change);
    const about = await aboutContact(work, task.contactId ?? null);
    await work.emit(taskCompleted, { ...about, data: completionOf(task, work.now) });
  }
}
